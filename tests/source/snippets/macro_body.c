#define DEFINE(name, n) static int name(void) { return n; }
DEFINE(one, 1)
DEFINE(two,
       2)
int main(void) { return one() + two() - 3; }
