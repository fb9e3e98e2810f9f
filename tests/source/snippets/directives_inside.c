static int f(int x)
{
    return x
#ifdef NOT_DEFINED
        + 100
#else
        + 1
#endif
        ;
}
#if 0
int g(void) { return 1; }
#endif
int main(void) { return f(1) - 2; }
