#include <utility>
static int f() { auto [a, b] = std::pair(1, 2); for (auto [x, y] : { std::pair(a, b) }) return x + y; return 0; }
int main() { return f() - 3; }
