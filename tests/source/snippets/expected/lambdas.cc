
#line 1 "lambdas.cc"
namespace { template <class F> struct ez_guard_ { F &f; ~ez_guard_() { f(); } }; }
#line 1 "lambdas.cc"
#include "calls.h"
#line 1 "lambdas.cc"
static int f(int k)
{ int ez_level;
#line 2 "lambdas.cc"
ez_level = ENTER("int f(int)", 2);
#line 2 "lambdas.cc"
int ez_site_1 = 0; auto ez_leave_1 = [&] { switch (ez_site_1) { case 1: { LEAVE(ez_level, 5);
#line 2 "lambdas.cc"
} break; default: { LEAVE(ez_level, 6);
#line 2 "lambdas.cc"
} }}; ez_guard_<decltype(ez_leave_1)> ez_left_1{ez_leave_1};  {
#line 2 "lambdas.cc"
 
    auto g = [&](int q) { int ez_level;
#line 3 "lambdas.cc"
ez_level = ENTER("f::operator()", 3);
#line 3 "lambdas.cc"
auto ez_leave_2 = [&] { LEAVE(ez_level, 3);
#line 3 "lambdas.cc"
}; ez_guard_<decltype(ez_leave_2)> ez_left_2{ez_leave_2};  {
#line 3 "lambdas.cc"
                          if (q) return k; return -k; } 
#line 3 "lambdas.cc"
                                                      };
    auto h = [k]() mutable { int ez_level;
#line 4 "lambdas.cc"
ez_level = ENTER("f::operator()", 4);
#line 4 "lambdas.cc"
auto ez_leave_3 = [&] { LEAVE(ez_level, 4);
#line 4 "lambdas.cc"
}; ez_guard_<decltype(ez_leave_3)> ez_left_3{ez_leave_3};  {
#line 4 "lambdas.cc"
                             return ++k; } 
#line 4 "lambdas.cc"
                                         };
    { ez_site_1 = 1;
#line 5 "lambdas.cc"
    return g(1) + g(0) + h(); }
#line 5 "lambdas.cc"
                             
} 
#line 6 "lambdas.cc"
}
int main() { int ez_level;
#line 7 "lambdas.cc"
START();
#line 7 "lambdas.cc"
ez_level = ENTER("int main()", 7);
#line 7 "lambdas.cc"
auto ez_leave_4 = [&] { LEAVE(ez_level, 7);
#line 7 "lambdas.cc"
}; ez_guard_<decltype(ez_leave_4)> ez_left_4{ez_leave_4};  {
#line 7 "lambdas.cc"
             return f(2) - 3; } 
#line 7 "lambdas.cc"
                              }
