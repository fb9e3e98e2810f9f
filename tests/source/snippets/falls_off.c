int main(void)
{
    static int x;
    if (x) return 3;
}
