#line 1 "exceptions.cc"
namespace { template <class F> struct ez_guard_ { F &f; ~ez_guard_() { f(); } }; }
#line 2 "snippets.spec"
#include "calls.h"
#line 1 "exceptions.cc"
#include <stdexcept>
static int t(int x) { 
#line 3 "snippets.spec"
int ez_level;
#line 3 "snippets.spec"
#line 5 "snippets.spec"
ez_level = ENTER("int t(int)", 2);
#line 5 "snippets.spec"
#line 5 "snippets.spec"
auto ez_leave_1 = [&] { 
#line 6 "snippets.spec"
LEAVE(ez_level, 2);
#line 6 "snippets.spec"
#line 6 "snippets.spec"
}; ez_guard_<decltype(ez_leave_1)> ez_left_1{ez_leave_1};  {
#line 2 "exceptions.cc"
                      if (x) throw ([&] { 
#line 10 "snippets.spec"
THROWN(2);
#line 10 "snippets.spec"
#line 10 "snippets.spec"
}(), 
#line 2 "exceptions.cc"
                                   std::runtime_error("e"))
#line 2 "exceptions.cc"
                                                          ; return 1; } 
#line 2 "exceptions.cc"
                                                                      }
static int f(int x) { 
#line 3 "snippets.spec"
int ez_level;
#line 3 "snippets.spec"
#line 5 "snippets.spec"
ez_level = ENTER("int f(int)", 3);
#line 5 "snippets.spec"
#line 5 "snippets.spec"
auto ez_leave_2 = [&] { 
#line 6 "snippets.spec"
LEAVE(ez_level, 3);
#line 6 "snippets.spec"
#line 6 "snippets.spec"
}; ez_guard_<decltype(ez_leave_2)> ez_left_2{ez_leave_2};  {
#line 3 "exceptions.cc"
                      try { return t(x); } catch (const std::exception &) { 
#line 11 "snippets.spec"
CAUGHT(3);
#line 11 "snippets.spec"
#line 3 "exceptions.cc"
                                                                            return 2; } catch (...) { 
#line 11 "snippets.spec"
CAUGHT(3);
#line 11 "snippets.spec"
#line 3 "exceptions.cc"
                                                                                                      { 
#line 10 "snippets.spec"
THROWN(3);
#line 10 "snippets.spec"
#line 3 "exceptions.cc"
                                                                                                      throw; }
#line 3 "exceptions.cc"
                                                                                                             } } 
#line 3 "exceptions.cc"
                                                                                                               }
int main() { 
#line 3 "snippets.spec"
int ez_level;
#line 3 "snippets.spec"
#line 4 "snippets.spec"
START();
#line 4 "snippets.spec"
#line 5 "snippets.spec"
ez_level = ENTER("int main()", 4);
#line 5 "snippets.spec"
#line 5 "snippets.spec"
auto ez_leave_3 = [&] { 
#line 6 "snippets.spec"
LEAVE(ez_level, 4);
#line 6 "snippets.spec"
#line 6 "snippets.spec"
}; ez_guard_<decltype(ez_leave_3)> ez_left_3{ez_leave_3};  {
#line 4 "exceptions.cc"
             return f(0) + f(1) - 3; } 
#line 4 "exceptions.cc"
                                     }
