static int f(int x) { return x++, x; }
int main(void) { return f(1) - 2; }
