static int f(int x)
{
    if (x) return 1; else return 2;
}
int main(void) { return f(0) - 2 + f(1) - 1; }
