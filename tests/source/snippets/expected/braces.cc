#line 1 "braces.cc"
namespace { template <class F> struct ez_guard_ { F &f; ~ez_guard_() { f(); } }; }
#line 2 "snippets.spec"
#include "calls.h"
#line 1 "braces.cc"
#include <string>
#include <utility>
static std::pair<int, std::string> f() { 
#line 3 "snippets.spec"
int ez_level;
#line 3 "snippets.spec"
#line 5 "snippets.spec"
ez_level = ENTER("std::pair<int, std::string> f()", 3);
#line 5 "snippets.spec"
#line 5 "snippets.spec"
auto ez_leave_1 = [&] { 
#line 6 "snippets.spec"
LEAVE(ez_level, 3);
#line 6 "snippets.spec"
#line 6 "snippets.spec"
}; ez_guard_<decltype(ez_leave_1)> ez_left_1{ez_leave_1};  {
#line 3 "braces.cc"
                                         return { 1, "x" }; } 
#line 3 "braces.cc"
                                                            }
static int g() { 
#line 3 "snippets.spec"
int ez_level;
#line 3 "snippets.spec"
#line 5 "snippets.spec"
ez_level = ENTER("int g()", 4);
#line 5 "snippets.spec"
#line 5 "snippets.spec"
auto ez_leave_2 = [&] { 
#line 6 "snippets.spec"
LEAVE(ez_level, 4);
#line 6 "snippets.spec"
#line 6 "snippets.spec"
}; ez_guard_<decltype(ez_leave_2)> ez_left_2{ez_leave_2};  {
#line 4 "braces.cc"
                 return {}; } 
#line 4 "braces.cc"
                            }
int main() { 
#line 3 "snippets.spec"
int ez_level;
#line 3 "snippets.spec"
#line 4 "snippets.spec"
START();
#line 4 "snippets.spec"
#line 5 "snippets.spec"
ez_level = ENTER("int main()", 5);
#line 5 "snippets.spec"
#line 5 "snippets.spec"
auto ez_leave_3 = [&] { 
#line 6 "snippets.spec"
LEAVE(ez_level, 5);
#line 6 "snippets.spec"
#line 6 "snippets.spec"
}; ez_guard_<decltype(ez_leave_3)> ez_left_3{ez_leave_3};  {
#line 5 "braces.cc"
             return f().first - 1 + g(); } 
#line 5 "braces.cc"
                                         }
