#include <stdlib.h>
_Noreturn static void die(int x) { exit(x); }
static int f(int x) { if (!x) die(0); return x; }
int main(void) { f(1); f(0); }
