#line 1 "lambda_constant.cc"
namespace { template <class F> struct ez_guard_ { F &f; ~ez_guard_() { f(); } }; }
#line 2 "snippets.spec"
#include "calls.h"
#line 1 "lambda_constant.cc"
static int f() { 
#line 3 "snippets.spec"
int ez_level;
#line 3 "snippets.spec"
#line 5 "snippets.spec"
ez_level = ENTER("int f()", 1);
#line 5 "snippets.spec"
#line 5 "snippets.spec"
auto ez_leave_1 = [&] { 
#line 6 "snippets.spec"
LEAVE(ez_level, 1);
#line 6 "snippets.spec"
#line 6 "snippets.spec"
}; ez_guard_<decltype(ez_leave_1)> ez_left_1{ez_leave_1};  {
#line 1 "lambda_constant.cc"
                 constexpr auto twice = [](int x) { return 2 * x; }; int a[twice(3)] = {}; return sizeof a / sizeof *a; } 
#line 1 "lambda_constant.cc"
                                                                                                                        }
int main() { 
#line 3 "snippets.spec"
int ez_level;
#line 3 "snippets.spec"
#line 4 "snippets.spec"
START();
#line 4 "snippets.spec"
#line 5 "snippets.spec"
ez_level = ENTER("int main()", 2);
#line 5 "snippets.spec"
#line 5 "snippets.spec"
auto ez_leave_3 = [&] { 
#line 6 "snippets.spec"
LEAVE(ez_level, 2);
#line 6 "snippets.spec"
#line 6 "snippets.spec"
}; ez_guard_<decltype(ez_leave_3)> ez_left_3{ez_leave_3};  {
#line 2 "lambda_constant.cc"
             return f() - 6; } 
#line 2 "lambda_constant.cc"
                             }
