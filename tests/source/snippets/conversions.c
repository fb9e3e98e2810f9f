static unsigned char f(int x) { return x; }
static double g(int x) { return x; }
static void *h(void) { return 0; }
int main(void) { return f(257) - 1 + (g(3) / 2 != 1.5) + (h() != 0); }
