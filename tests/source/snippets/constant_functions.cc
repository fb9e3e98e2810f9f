constexpr int ce(int x) { return x + 1; }
static int a[ce(2)];
int main() { return sizeof a / sizeof *a - 3; }
