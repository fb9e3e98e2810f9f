#include <cstdarg>
#include <map>
#include <string>
#include <utility>
#include <vector>
namespace ns {
class Item {
public:
    typedef const char *Place;
    enum Kind { none, some };
    struct Part {
        int k;
    };
    explicit Item(int n) : n(n) {}
    Item(const Item &other) : n(other.n) {}
    Item &operator=(const Item &other);
    explicit operator bool() const;
    Kind kind(Place at, const Kind &k, Part &&part, const Part *const *all) const;
    Part *none_of(volatile int *p);
    static int apply(int (*f)(int), int (&three)[3]);

private:
    int n;
};
Item &Item::operator=(const Item &other)
{
    n = other.n;
    return *this;
}
Item::operator bool() const { return n != 0; }
Item::Kind Item::kind(Place at, const Kind &k, Part &&part, const Part *const *all) const
{
    return at && all && part.k == n ? k : none;
}
Item::Part *Item::none_of(volatile int *p) { return p ? nullptr : new Part(); }
int Item::apply(int (*f)(int), int (&three)[3])
{
    return f(three[1]);
}
}
using namespace ns;
using std::string;
namespace {
struct Own {
    long v;
};
std::vector<int> list(const Own &own, string s, const std::map<std::string, int> &m)
{
    return { int(own.v), int(s.size()), int(m.size()) };
}
}
static char *words(const int n, char *const argv[], unsigned long long a, short b, signed char c, bool d, long double e)
{
    return n + a + b + c + d + e > 0 ? argv[0] : nullptr;
}
static int sum(int n, ...)
{
    va_list ap;
    va_start(ap, n);
    int s = 0;
    while (n--)
        s += va_arg(ap, int);
    va_end(ap);
    return s;
}
static int twice(int n) { return 2 * n; }
static Item::Kind last(Item::Kind k) { return k; }
int main(int argc, char *argv[])
{
    Item a(1), b(a);
    b = a;
    int three[3] = { 1, 2, 3 };
    const Item::Part part = { 1 }, *all[] = { &part };
    if (!b || a.kind("x", Item::some, Item::Part{ 1 }, all) != last(Item::some) || a.none_of(three))
        return 1;
    return !(Item::apply(twice, three) == 4 && list(Own{ 3 }, "ab", {}).size() == 3 &&
             words(1, argv, 1, 1, 1, true, 1) == argv[0] && sum(3, 1, 2, 3) == 6 && argc == 1);
}
