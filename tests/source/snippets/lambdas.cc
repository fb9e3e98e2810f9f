static int f(int k)
{
    auto g = [&](int q) { if (q) return k; return -k; };
    auto h = [k]() mutable { return ++k; };
    return g(1) + g(0) + h();
}
int main() { return f(2) - 3; }
