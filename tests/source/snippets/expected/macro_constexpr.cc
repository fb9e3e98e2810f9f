#line 1 "macro_constexpr.cc"
namespace { template <class F> struct ez_guard_ { F &f; ~ez_guard_() { f(); } }; }
#line 2 "snippets.spec"
#include "calls.h"
#line 1 "macro_constexpr.cc"
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
static int plain_one(int i) { 
#line 3 "snippets.spec"
int ez_level;
#line 3 "snippets.spec"
#line 5 "snippets.spec"
ez_level = ENTER("int plain_one(int)", 14);
#line 5 "snippets.spec"
#line 5 "snippets.spec"
auto ez_leave_5 = [&] { 
#line 6 "snippets.spec"
LEAVE(ez_level, 14);
#line 6 "snippets.spec"
#line 6 "snippets.spec"
}; ez_guard_<decltype(ez_leave_5)> ez_left_5{ez_leave_5};  {
#line 14 "macro_constexpr.cc"
                              return i; } 
#line 14 "macro_constexpr.cc"
                                        }
int main() { 
#line 3 "snippets.spec"
int ez_level;
#line 3 "snippets.spec"
#line 4 "snippets.spec"
START();
#line 4 "snippets.spec"
#line 5 "snippets.spec"
ez_level = ENTER("int main()", 15);
#line 5 "snippets.spec"
#line 5 "snippets.spec"
auto ez_leave_6 = [&] { 
#line 6 "snippets.spec"
LEAVE(ez_level, 15);
#line 6 "snippets.spec"
#line 6 "snippets.spec"
}; ez_guard_<decltype(ez_leave_6)> ez_left_6{ez_leave_6};  {
#line 15 "macro_constexpr.cc"
             int a[twice(2)] = { 0 }; return plain_one(a[0]); } 
#line 15 "macro_constexpr.cc"
                                                              }
