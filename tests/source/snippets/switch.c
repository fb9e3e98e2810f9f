static int f(int x)
{
    switch (x) {
    case 1: return 10;
    case 2: { return 20; }
    default: return /* a comment; */ x > 5 ? 1 : 2 /* and; one */ ;
    }
}
int main(void) { return f(1) + f(2) + f(9) + f(3) - 33; }
