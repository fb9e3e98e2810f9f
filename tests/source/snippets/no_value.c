static void f(int x) { if (x) return; else x++; for (;;) return; }
int main(void) { f(1); f(0); return 0; }
