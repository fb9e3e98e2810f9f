static int f(int n)
{
    int s = 0;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            if (i * j == 6) return s;
            if (j == 5) goto out;
            s++;
        }
out:
    while (n) n--;
    do s++; while (0);
    return s;
}
int main(void) { return f(7) - 6 + f(2) - 5; }
