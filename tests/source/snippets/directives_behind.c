static int f(int x)
{
#define ONE 1
    return x
#ifdef ONE
        + 1
#  ifdef TWO
        + 2
#  endif
#else
        + 100;
#  if 1
    return 4
#  endif
#endif
        ;
}
int main(void) { return f(1) - 2; }
