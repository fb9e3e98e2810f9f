#include <vector>
static int f() { std::vector<int> v{ 1, 2, 3 }; int s = 0; for (int x : v) { if (x == 3) break; s += x; } while (s > 10) return 1; return s; }
int main() { return f() - 3; }
