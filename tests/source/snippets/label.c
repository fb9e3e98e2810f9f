static int f(int x)
{
again:
    if (x++ < 3) goto again;
out: return x;
}
int main(void) { return f(0) - 4; }
