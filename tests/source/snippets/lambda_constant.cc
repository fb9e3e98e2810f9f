static int f() { constexpr auto twice = [](int x) { return 2 * x; }; int a[twice(3)] = {}; return sizeof a / sizeof *a; }
int main() { return f() - 6; }
