#line 1 "signatures.cc"
namespace { template <class F> struct ez_guard_ { F &f; ~ez_guard_() { f(); } }; }
#line 2 "snippets.spec"
#include "calls.h"
#line 1 "signatures.cc"
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
    explicit Item(int n) : n(n) { 
#line 3 "snippets.spec"
int ez_level;
#line 3 "snippets.spec"
#line 5 "snippets.spec"
ez_level = ENTER("ns::Item::Item(int)", 14);
#line 5 "snippets.spec"
#line 5 "snippets.spec"
auto ez_leave_1 = [&] { 
#line 6 "snippets.spec"
LEAVE(ez_level, 14);
#line 6 "snippets.spec"
#line 6 "snippets.spec"
}; ez_guard_<decltype(ez_leave_1)> ez_left_1{ez_leave_1};  {} 
#line 14 "signatures.cc"
                                 }
    Item(const Item &other) : n(other.n) { 
#line 3 "snippets.spec"
int ez_level;
#line 3 "snippets.spec"
#line 5 "snippets.spec"
ez_level = ENTER("ns::Item::Item(const ns::Item &)", 15);
#line 5 "snippets.spec"
#line 5 "snippets.spec"
auto ez_leave_2 = [&] { 
#line 6 "snippets.spec"
LEAVE(ez_level, 15);
#line 6 "snippets.spec"
#line 6 "snippets.spec"
}; ez_guard_<decltype(ez_leave_2)> ez_left_2{ez_leave_2};  {} 
#line 15 "signatures.cc"
                                          }
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
#line 3 "snippets.spec"
int ez_level;
#line 3 "snippets.spec"
#line 5 "snippets.spec"
ez_level = ENTER("ns::Item &ns::Item::operator=(const ns::Item &)", 26);
#line 5 "snippets.spec"
#line 5 "snippets.spec"
int ez_site_3 = 0; auto ez_leave_3 = [&] { switch (ez_site_3) { case 1: { 
#line 6 "snippets.spec"
LEAVE(ez_level, 28);
#line 6 "snippets.spec"
#line 6 "snippets.spec"
} break; default: { 
#line 6 "snippets.spec"
LEAVE(ez_level, 29);
#line 6 "snippets.spec"
#line 6 "snippets.spec"
} }}; ez_guard_<decltype(ez_leave_3)> ez_left_3{ez_leave_3};  {
#line 26 "signatures.cc"
 
    n = other.n;
    { ez_site_3 = 1;
#line 28 "signatures.cc"
    return *this; }
#line 28 "signatures.cc"
                 
} 
#line 29 "signatures.cc"
}
Item::operator bool() const { 
#line 3 "snippets.spec"
int ez_level;
#line 3 "snippets.spec"
#line 5 "snippets.spec"
ez_level = ENTER("ns::Item::operator bool() const", 30);
#line 5 "snippets.spec"
#line 5 "snippets.spec"
auto ez_leave_4 = [&] { 
#line 6 "snippets.spec"
LEAVE(ez_level, 30);
#line 6 "snippets.spec"
#line 6 "snippets.spec"
}; ez_guard_<decltype(ez_leave_4)> ez_left_4{ez_leave_4};  {
#line 30 "signatures.cc"
                              return n != 0; } 
#line 30 "signatures.cc"
                                             }
Item::Kind Item::kind(Place at, const Kind &k, Part &&part, const Part *const *all) const
{ 
#line 3 "snippets.spec"
int ez_level;
#line 3 "snippets.spec"
#line 5 "snippets.spec"
ez_level = ENTER("ns::Item::Kind ns::Item::kind(ns::Item::Place, const ns::Item::Kind &, ns::Item::Part &&, const ns::Item::Part *const *) const", 32);
#line 5 "snippets.spec"
#line 5 "snippets.spec"
int ez_site_5 = 0; auto ez_leave_5 = [&] { switch (ez_site_5) { case 1: { 
#line 6 "snippets.spec"
LEAVE(ez_level, 33);
#line 6 "snippets.spec"
#line 6 "snippets.spec"
} break; default: { 
#line 6 "snippets.spec"
LEAVE(ez_level, 34);
#line 6 "snippets.spec"
#line 6 "snippets.spec"
} }}; ez_guard_<decltype(ez_leave_5)> ez_left_5{ez_leave_5};  {
#line 32 "signatures.cc"
 
    { ez_site_5 = 1;
#line 33 "signatures.cc"
    return at && all && part.k == n ? k : none; }
#line 33 "signatures.cc"
                                               
} 
#line 34 "signatures.cc"
}
Item::Part *Item::none_of(volatile int *p) { 
#line 3 "snippets.spec"
int ez_level;
#line 3 "snippets.spec"
#line 5 "snippets.spec"
ez_level = ENTER("ns::Item::Part *ns::Item::none_of(volatile int *)", 35);
#line 5 "snippets.spec"
#line 5 "snippets.spec"
auto ez_leave_6 = [&] { 
#line 6 "snippets.spec"
LEAVE(ez_level, 35);
#line 6 "snippets.spec"
#line 6 "snippets.spec"
}; ez_guard_<decltype(ez_leave_6)> ez_left_6{ez_leave_6};  {
#line 35 "signatures.cc"
                                             return p ? nullptr : new Part(); } 
#line 35 "signatures.cc"
                                                                              }
int Item::apply(int (*f)(int), int (&three)[3])
{ 
#line 3 "snippets.spec"
int ez_level;
#line 3 "snippets.spec"
#line 5 "snippets.spec"
ez_level = ENTER("int ns::Item::apply(int (*)(int), int (&)[3])", 37);
#line 5 "snippets.spec"
#line 5 "snippets.spec"
int ez_site_7 = 0; auto ez_leave_7 = [&] { switch (ez_site_7) { case 1: { 
#line 6 "snippets.spec"
LEAVE(ez_level, 38);
#line 6 "snippets.spec"
#line 6 "snippets.spec"
} break; default: { 
#line 6 "snippets.spec"
LEAVE(ez_level, 39);
#line 6 "snippets.spec"
#line 6 "snippets.spec"
} }}; ez_guard_<decltype(ez_leave_7)> ez_left_7{ez_leave_7};  {
#line 37 "signatures.cc"
 
    { ez_site_7 = 1;
#line 38 "signatures.cc"
    return f(three[1]); }
#line 38 "signatures.cc"
                       
} 
#line 39 "signatures.cc"
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
#line 3 "snippets.spec"
int ez_level;
#line 3 "snippets.spec"
#line 5 "snippets.spec"
ez_level = ENTER("std::vector<int> (anonymous namespace)::list(const (anonymous namespace)::Own &, std::string, const std::map<std::string, int> &)", 48);
#line 5 "snippets.spec"
#line 5 "snippets.spec"
int ez_site_8 = 0; auto ez_leave_8 = [&] { switch (ez_site_8) { case 1: { 
#line 6 "snippets.spec"
LEAVE(ez_level, 49);
#line 6 "snippets.spec"
#line 6 "snippets.spec"
} break; default: { 
#line 6 "snippets.spec"
LEAVE(ez_level, 50);
#line 6 "snippets.spec"
#line 6 "snippets.spec"
} }}; ez_guard_<decltype(ez_leave_8)> ez_left_8{ez_leave_8};  {
#line 48 "signatures.cc"
 
    { ez_site_8 = 1;
#line 49 "signatures.cc"
    return { int(own.v), int(s.size()), int(m.size()) }; }
#line 49 "signatures.cc"
                                                        
} 
#line 50 "signatures.cc"
}
}
static char *words(const int n, char *const argv[], unsigned long long a, short b, signed char c, bool d, long double e)
{ 
#line 3 "snippets.spec"
int ez_level;
#line 3 "snippets.spec"
#line 5 "snippets.spec"
ez_level = ENTER("char *words(const int, char *const *, unsigned long long, short, signed char, bool, long double)", 53);
#line 5 "snippets.spec"
#line 5 "snippets.spec"
int ez_site_9 = 0; auto ez_leave_9 = [&] { switch (ez_site_9) { case 1: { 
#line 6 "snippets.spec"
LEAVE(ez_level, 54);
#line 6 "snippets.spec"
#line 6 "snippets.spec"
} break; default: { 
#line 6 "snippets.spec"
LEAVE(ez_level, 55);
#line 6 "snippets.spec"
#line 6 "snippets.spec"
} }}; ez_guard_<decltype(ez_leave_9)> ez_left_9{ez_leave_9};  {
#line 53 "signatures.cc"
 
    { ez_site_9 = 1;
#line 54 "signatures.cc"
    return n + a + b + c + d + e > 0 ? argv[0] : nullptr; }
#line 54 "signatures.cc"
                                                         
} 
#line 55 "signatures.cc"
}
static int sum(int n, ...)
{ 
#line 3 "snippets.spec"
int ez_level;
#line 3 "snippets.spec"
#line 5 "snippets.spec"
ez_level = ENTER("int sum(int, ...)", 57);
#line 5 "snippets.spec"
#line 5 "snippets.spec"
int ez_site_10 = 0; auto ez_leave_10 = [&] { switch (ez_site_10) { case 1: { 
#line 6 "snippets.spec"
LEAVE(ez_level, 64);
#line 6 "snippets.spec"
#line 6 "snippets.spec"
} break; default: { 
#line 6 "snippets.spec"
LEAVE(ez_level, 65);
#line 6 "snippets.spec"
#line 6 "snippets.spec"
} }}; ez_guard_<decltype(ez_leave_10)> ez_left_10{ez_leave_10};  {
#line 57 "signatures.cc"
 
    va_list ap;
    va_start(ap, n);
    int s = 0;
    { 
#line 8 "snippets.spec"
LOOP(61);
#line 8 "snippets.spec"
#line 8 "snippets.spec"
auto ez_end_10_0 = [&] { 
#line 9 "snippets.spec"
DONE(62);
#line 9 "snippets.spec"
#line 9 "snippets.spec"
}; ez_guard_<decltype(ez_end_10_0)> ez_loop_10_0{ez_end_10_0};
#line 61 "signatures.cc"
    while (n--)
        s += __builtin_va_arg(ap,int) ; }
#line 62 "signatures.cc"
                                       
    va_end(ap);
    { ez_site_10 = 1;
#line 64 "signatures.cc"
    return s; }
#line 64 "signatures.cc"
             
} 
#line 65 "signatures.cc"
}
static int twice(int n) { 
#line 3 "snippets.spec"
int ez_level;
#line 3 "snippets.spec"
#line 5 "snippets.spec"
ez_level = ENTER("int twice(int)", 66);
#line 5 "snippets.spec"
#line 5 "snippets.spec"
auto ez_leave_11 = [&] { 
#line 6 "snippets.spec"
LEAVE(ez_level, 66);
#line 6 "snippets.spec"
#line 6 "snippets.spec"
}; ez_guard_<decltype(ez_leave_11)> ez_left_11{ez_leave_11};  {
#line 66 "signatures.cc"
                          return 2 * n; } 
#line 66 "signatures.cc"
                                        }
static Item::Kind last(Item::Kind k) { 
#line 3 "snippets.spec"
int ez_level;
#line 3 "snippets.spec"
#line 5 "snippets.spec"
ez_level = ENTER("ns::Item::Kind last(ns::Item::Kind)", 67);
#line 5 "snippets.spec"
#line 5 "snippets.spec"
auto ez_leave_12 = [&] { 
#line 6 "snippets.spec"
LEAVE(ez_level, 67);
#line 6 "snippets.spec"
#line 6 "snippets.spec"
}; ez_guard_<decltype(ez_leave_12)> ez_left_12{ez_leave_12};  {
#line 67 "signatures.cc"
                                       return k; } 
#line 67 "signatures.cc"
                                                 }
int main(int argc, char *argv[])
{ 
#line 3 "snippets.spec"
int ez_level;
#line 3 "snippets.spec"
#line 4 "snippets.spec"
START();
#line 4 "snippets.spec"
#line 5 "snippets.spec"
ez_level = ENTER("int main(int, char **)", 69);
#line 5 "snippets.spec"
#line 5 "snippets.spec"
int ez_site_13 = 0; auto ez_leave_13 = [&] { switch (ez_site_13) { case 1: { 
#line 6 "snippets.spec"
LEAVE(ez_level, 75);
#line 6 "snippets.spec"
#line 6 "snippets.spec"
} break; case 2: { 
#line 6 "snippets.spec"
LEAVE(ez_level, 76);
#line 6 "snippets.spec"
#line 6 "snippets.spec"
} break; default: { 
#line 6 "snippets.spec"
LEAVE(ez_level, 78);
#line 6 "snippets.spec"
#line 6 "snippets.spec"
} }}; ez_guard_<decltype(ez_leave_13)> ez_left_13{ez_leave_13};  {
#line 69 "signatures.cc"
 
    Item a(1), b(a);
    b = a;
    int three[3] = { 1, 2, 3 };
    const Item::Part part = { 1 }, *all[] = { &part };
    if (!b || a.kind("x", Item::some, Item::Part{ 1 }, all) != last(Item::some) || a.none_of(three))
        { ez_site_13 = 1;
#line 75 "signatures.cc"
        return 1; }
#line 75 "signatures.cc"
                 
    { ez_site_13 = 2;
#line 76 "signatures.cc"
    return !(Item::apply(twice, three) == 4 && list(Own{ 3 }, "ab", {}).size() == 3 &&
             words(1, argv, 1, 1, 1, true, 1) == argv[0] && sum(3, 1, 2, 3) == 6 && argc == 1); }
#line 77 "signatures.cc"
                                                                                               
} 
#line 78 "signatures.cc"
}
