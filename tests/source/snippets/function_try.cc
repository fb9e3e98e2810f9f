static int t(int x) { if (x) throw x; return 1; }
static int f(int x) try { return t(x); } catch (int) { return 5; }
int main() { return f(0) + f(1) - 6; }
