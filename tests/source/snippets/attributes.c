__attribute__((noinline, const)) static int f(int x) { return x; }
static int g(int) __attribute__((always_inline)) ;
static inline int g(int x) { return x + 1; }
int main(void) { return f(1) + g(1) - 3; }
