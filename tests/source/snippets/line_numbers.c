static int f(void) { return __LINE__; } static int g(void) { return __LINE__; }
static int h(void)
{
    if (f() != 1) return 1; if (g() != 1) return 2;
    return __LINE__ - 5;
}
int main(void) { return h() + (__FILE__[0] != 'l' && __FILE__[0] != '/' && __FILE__[0] != '.'); }
