static int f(int x) { int y = ({ if (x > 3) return x; x + 1; }); return y; }
int main(void) { return f(7) + f(1) - 9; }
