static int n;
static void g(void) { n++; }
static void f(void) { return g(); }
int main(void) { f(); return n - 1; }
