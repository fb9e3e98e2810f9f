#include <memory>
struct N { int v; explicit N(int x) : v(x) {} N(const N &) = delete; N(N &&) = delete; };
static N make(int a) { if (a) return N(a); return N(-1); }
static std::unique_ptr<int> up(int a) { std::unique_ptr<int> p(new int(a)); return p; }
int main() { return make(3).v - 3 + *up(4) - 4; }
