#include <stdlib.h>
static int f(int x)
{
    if (x > 9) exit(1);
    else x++;
    x > 100 ? exit(1) : (void)0;
    return x;
}
int main(void) { f(1); exit(0); }
