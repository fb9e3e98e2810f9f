static int t(int i)
{
    for (int k = 0; k < 3; k++) {
        if (k == i)
            throw k;
        while (k > 1)
            return k;
    }
    return 0;
}
static int f(int i)
{
    int n = 0;
    for (;;) {
        do {
            if (n > 3)
                goto out;
            n++;
        } while (i-- > 0);
        if (n == 2)
            break;
    }
out:
    return n;
}
static int value(int i) { return i ? i : throw 5; }
int main()
{
    int n = 0;
    try {
        n = t(1);
    } catch (int k) {
        n = k;
    }
    try {
        n += value(0);
    } catch (...) {
        n++;
    }
    return n + t(7) + f(0) + f(9) - 10;
}
