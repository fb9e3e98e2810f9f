typedef int T;
static T f(int x) { int T = x + 1; return T; }
int main(void) { return f(2) - 3; }
