static int f(int x) { if (int y = x + 1; y > 2) return y; else return -y; }
int main() { return f(2) - 3 + f(0) + 1; }
