#define CE constexpr
struct S {
    CE S(int i) : n(i) {}
    template <class T> CE T add(T t) const { return t + n; }
    CE operator int() const { return n; }
    int n;
};
static_assert(S(2).add(3) == 5 && S(4) == 4, "");
static CE int
twice(int i)
{
    return 2 * i;
}
static int plain_one(int i) { return i; }
int main() { int a[twice(2)] = { 0 }; return plain_one(a[0]); }
