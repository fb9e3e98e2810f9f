static int f()
{
    auto sq = [](int x) {
        return x * x;
    };
    auto twice = [](int x) {
        return x + x;
    };
    static_assert(sq(3) == 9, "");
    return sq(2) + twice(1);
}
int main() { return f() - 6; }
