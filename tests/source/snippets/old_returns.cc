#include <memory>
#include <stdexcept>
#include <string>
struct B {
    int n;
    B(int i) : n(i) {}
    ~B() { n = 0; }
    int get() const { return n; }
    operator bool() const { return n != 0; }
};
static std::string s(int i)
{
    std::string r("a");
    if (i)
        return r + "b";
    return r;
}
static std::auto_ptr<B> ap(int i)
{
    std::auto_ptr<B> p(new B(i));
    return p;
}
static int t(int i)
{
    if (i)
        throw std::runtime_error("x");
    return 1;
}
static int &ref(int &i) { return i; }
template <class T> static T larger(T a, T b)
{
    if (a < b)
        return b;
    return a;
}
static void nothing(int i)
{
    if (i)
        return;
}
static void again(int i) { return nothing(i); }
int main()
{
    int k = 1;
    ref(k)++;
    again(1);
    try {
        t(1);
    } catch (const std::exception &) {
        k++;
    }
    return larger(ap(2)->get(), 1) + k + static_cast<int>(s(1).size() + larger(s(0), std::string("b")).size()) - 8;
}
