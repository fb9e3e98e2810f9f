#define RET(x) return (x)
#define CHECK(p) do { if (!(p)) return -1; } while (0)
static int f(int x)
{
    CHECK(x > 0 &&
          x < 10);
    RET(x * 2);
}
int main(void) { return f(3) - 6 + f(-1) + 1 + (__LINE__ != 9); }
