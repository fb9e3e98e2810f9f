struct C {
    int a;
    operator int() const { return a; }
    bool operator<(const C &o) const { return a < o.a; }
    C &operator++() { ++a; return *this; }
    int operator()(int x) { return a + x; }
};
static int operator""_k(unsigned long long x) { return (int)x; }
int main() { C c{ 1 }; ++c; return c + (c < c) + c(1) - 5 + 3_k - 3; }
