static int f(a, b) int a; char *b; { return a + b[0]; }
int main() { return f(1, "a") - 'b'; }
