static int f(int x) { return x ? throw x : 1; }
int main() { try { f(0); f(2); } catch (int e) { return e - 2; } return 1; }
