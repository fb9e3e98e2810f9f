static void f(void) {}
static void g(void) { ; }
int main(void) { f(); g(); return 0; }
