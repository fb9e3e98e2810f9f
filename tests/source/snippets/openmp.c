static int f(int n)
{
    int s = 0;
#pragma omp parallel for reduction(+ : s)
    for (int i = 0; i < n; i++)
        s += i;
#pragma omp parallel
    {
#pragma omp for collapse(2) \
    reduction(+ : s)
        for (int i = 0; i < n; i++)
            for (int j = 0; j < n; j++)
                s++;
    }
    if (n > 2)
#pragma omp parallel for
        for (int i = 0; i < n; i++)
            ;
    return s;
}
int main(void) { return f(4) - 22; }
