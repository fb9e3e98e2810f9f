static int f(int x) { { int f = 4; x += f; } return x; }
int main(void) { return f(2) - 6; }
