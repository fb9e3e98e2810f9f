
#line 1 "throw_expression.cc"
namespace { template <class F> struct ez_guard_ { F &f; ~ez_guard_() { f(); } }; }
#line 1 "throw_expression.cc"
#include "calls.h"
#line 1 "throw_expression.cc"
static int f(int x) { int ez_level;
#line 1 "throw_expression.cc"
ez_level = ENTER("int f(int)", 1);
#line 1 "throw_expression.cc"
auto ez_leave_1 = [&] { LEAVE(ez_level, 1);
#line 1 "throw_expression.cc"
}; ez_guard_<decltype(ez_leave_1)> ez_left_1{ez_leave_1};  {
#line 1 "throw_expression.cc"
                      return x ? throw ([&] { THROWN(1);
#line 1 "throw_expression.cc"
}(), 
#line 1 "throw_expression.cc"
                                       x)
#line 1 "throw_expression.cc"
                                         : 1; } 
#line 1 "throw_expression.cc"
                                              }
int main() { int ez_level;
#line 2 "throw_expression.cc"
START();
#line 2 "throw_expression.cc"
ez_level = ENTER("int main()", 2);
#line 2 "throw_expression.cc"
auto ez_leave_2 = [&] { LEAVE(ez_level, 2);
#line 2 "throw_expression.cc"
}; ez_guard_<decltype(ez_leave_2)> ez_left_2{ez_leave_2};  {
#line 2 "throw_expression.cc"
             try { f(0); f(2); } catch (int e) { CAUGHT(2);
#line 2 "throw_expression.cc"

#line 2 "throw_expression.cc"
                                                 return e - 2; } return 1; } 
#line 2 "throw_expression.cc"
                                                                           }
