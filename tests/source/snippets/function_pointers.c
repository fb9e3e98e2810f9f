static int one(void) { return 1; }
static int (*f(int k))(void) { if (k) return one; else return 0; }
typedef int (*row)[3];
static int m[2][3] = { { 0 }, { 0, 5 } };
static row g(int i) { return &m[i]; }
int main(void) { return f(1)() - 1 + (f(0) != 0) + (*g(1))[1] - 5; }
