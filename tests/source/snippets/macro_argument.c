#define DO(x) do { x; } while (0)
static int f(int x) { DO(if (x) return 5); return 6; }
int main(void) { return f(1) + f(0) - 11; }
