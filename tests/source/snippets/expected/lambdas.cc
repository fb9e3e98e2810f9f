#line 1 "lambdas.cc"
namespace { template <class F> struct ez_guard_ { F &f; ~ez_guard_() { f(); } }; }
#line 2 "snippets.spec"
#include "calls.h"
#line 1 "lambdas.cc"
static int f(int k)
{ 
#line 3 "snippets.spec"
int ez_level;
#line 3 "snippets.spec"
#line 5 "snippets.spec"
ez_level = ENTER("int f(int)", 2);
#line 5 "snippets.spec"
#line 5 "snippets.spec"
int ez_site_1 = 0; auto ez_leave_1 = [&] { switch (ez_site_1) { case 1: { 
#line 6 "snippets.spec"
LEAVE(ez_level, 5);
#line 6 "snippets.spec"
#line 6 "snippets.spec"
} break; default: { 
#line 6 "snippets.spec"
LEAVE(ez_level, 6);
#line 6 "snippets.spec"
#line 6 "snippets.spec"
} }}; ez_guard_<decltype(ez_leave_1)> ez_left_1{ez_leave_1};  {
#line 2 "lambdas.cc"
 
    auto g = [&](int q) { 
#line 3 "snippets.spec"
int ez_level;
#line 3 "snippets.spec"
#line 5 "snippets.spec"
ez_level = ENTER("f::operator()", 3);
#line 5 "snippets.spec"
#line 5 "snippets.spec"
auto ez_leave_2 = [&] { 
#line 6 "snippets.spec"
LEAVE(ez_level, 3);
#line 6 "snippets.spec"
#line 6 "snippets.spec"
}; ez_guard_<decltype(ez_leave_2)> ez_left_2{ez_leave_2};  {
#line 3 "lambdas.cc"
                          if (q) return k; return -k; } 
#line 3 "lambdas.cc"
                                                      };
    auto h = [k]() mutable { 
#line 3 "snippets.spec"
int ez_level;
#line 3 "snippets.spec"
#line 5 "snippets.spec"
ez_level = ENTER("f::operator()", 4);
#line 5 "snippets.spec"
#line 5 "snippets.spec"
auto ez_leave_3 = [&] { 
#line 6 "snippets.spec"
LEAVE(ez_level, 4);
#line 6 "snippets.spec"
#line 6 "snippets.spec"
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
int main() { 
#line 3 "snippets.spec"
int ez_level;
#line 3 "snippets.spec"
#line 4 "snippets.spec"
START();
#line 4 "snippets.spec"
#line 5 "snippets.spec"
ez_level = ENTER("int main()", 7);
#line 5 "snippets.spec"
#line 5 "snippets.spec"
auto ez_leave_4 = [&] { 
#line 6 "snippets.spec"
LEAVE(ez_level, 7);
#line 6 "snippets.spec"
#line 6 "snippets.spec"
}; ez_guard_<decltype(ez_leave_4)> ez_left_4{ez_leave_4};  {
#line 7 "lambdas.cc"
             return f(2) - 3; } 
#line 7 "lambdas.cc"
                              }
