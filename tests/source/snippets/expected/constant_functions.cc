
#line 1 "constant_functions.cc"
namespace { template <class F> struct ez_guard_ { F &f; ~ez_guard_() { f(); } }; }
#line 1 "constant_functions.cc"
#include "calls.h"
#line 1 "constant_functions.cc"
constexpr int ce(int x) { return x + 1; }
static int a[ce(2)];
int main() { int ez_level;
#line 3 "constant_functions.cc"
START();
#line 3 "constant_functions.cc"
ez_level = ENTER("int main()", 3);
#line 3 "constant_functions.cc"
auto ez_leave_2 = [&] { LEAVE(ez_level, 3);
#line 3 "constant_functions.cc"
}; ez_guard_<decltype(ez_leave_2)> ez_left_2{ez_leave_2};  {
#line 3 "constant_functions.cc"
             return sizeof a / sizeof *a - 3; } 
#line 3 "constant_functions.cc"
                                              }
