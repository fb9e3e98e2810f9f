#line 1 "function_try.cc"
namespace { template <class F> struct ez_guard_ { F &f; ~ez_guard_() { f(); } }; }
#line 2 "snippets.spec"
#include "calls.h"
#line 1 "function_try.cc"
static int t(int x) { 
#line 3 "snippets.spec"
int ez_level;
#line 3 "snippets.spec"
#line 5 "snippets.spec"
ez_level = ENTER("int t(int)", 1);
#line 5 "snippets.spec"
#line 5 "snippets.spec"
auto ez_leave_1 = [&] { 
#line 6 "snippets.spec"
LEAVE(ez_level, 1);
#line 6 "snippets.spec"
#line 6 "snippets.spec"
}; ez_guard_<decltype(ez_leave_1)> ez_left_1{ez_leave_1};  {
#line 1 "function_try.cc"
                      if (x) { 
#line 10 "snippets.spec"
THROWN(1);
#line 10 "snippets.spec"
#line 1 "function_try.cc"
                             throw x; }
#line 1 "function_try.cc"
                                      return 1; } 
#line 1 "function_try.cc"
                                                }
static int f(int x) try { 
#line 3 "snippets.spec"
int ez_level;
#line 3 "snippets.spec"
#line 5 "snippets.spec"
ez_level = ENTER("int f(int)", 2);
#line 5 "snippets.spec"
#line 5 "snippets.spec"
auto ez_leave_2 = [&] { 
#line 6 "snippets.spec"
LEAVE(ez_level, 2);
#line 6 "snippets.spec"
#line 6 "snippets.spec"
}; ez_guard_<decltype(ez_leave_2)> ez_left_2{ez_leave_2};  {
#line 2 "function_try.cc"
                          return t(x); } 
#line 2 "function_try.cc"
                                       } catch (int) { return 5; }
int main() { 
#line 3 "snippets.spec"
int ez_level;
#line 3 "snippets.spec"
#line 4 "snippets.spec"
START();
#line 4 "snippets.spec"
#line 5 "snippets.spec"
ez_level = ENTER("int main()", 3);
#line 5 "snippets.spec"
#line 5 "snippets.spec"
auto ez_leave_3 = [&] { 
#line 6 "snippets.spec"
LEAVE(ez_level, 3);
#line 6 "snippets.spec"
#line 6 "snippets.spec"
}; ez_guard_<decltype(ez_leave_3)> ez_left_3{ez_leave_3};  {
#line 3 "function_try.cc"
             return f(0) + f(1) - 6; } 
#line 3 "function_try.cc"
                                     }
