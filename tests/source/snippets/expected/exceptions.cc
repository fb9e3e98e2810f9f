
#line 1 "exceptions.cc"
namespace { template <class F> struct ez_guard_ { F &f; ~ez_guard_() { f(); } }; }
#line 1 "exceptions.cc"
#include "calls.h"
#line 1 "exceptions.cc"
#include <stdexcept>
static int t(int x) { int ez_level;
#line 2 "exceptions.cc"
ez_level = ENTER("int t(int)", 2);
#line 2 "exceptions.cc"
auto ez_leave_1 = [&] { LEAVE(ez_level, 2);
#line 2 "exceptions.cc"
}; ez_guard_<decltype(ez_leave_1)> ez_left_1{ez_leave_1};  {
#line 2 "exceptions.cc"
                      if (x) throw ([&] { THROWN(2);
#line 2 "exceptions.cc"
}(), 
#line 2 "exceptions.cc"
                                   std::runtime_error("e"))
#line 2 "exceptions.cc"
                                                          ; return 1; } 
#line 2 "exceptions.cc"
                                                                      }
static int f(int x) { int ez_level;
#line 3 "exceptions.cc"
ez_level = ENTER("int f(int)", 3);
#line 3 "exceptions.cc"
auto ez_leave_2 = [&] { LEAVE(ez_level, 3);
#line 3 "exceptions.cc"
}; ez_guard_<decltype(ez_leave_2)> ez_left_2{ez_leave_2};  {
#line 3 "exceptions.cc"
                      try { return t(x); } catch (const std::exception &) { CAUGHT(3);
#line 3 "exceptions.cc"

#line 3 "exceptions.cc"
                                                                            return 2; } catch (...) { CAUGHT(3);
#line 3 "exceptions.cc"

#line 3 "exceptions.cc"
                                                                                                      { THROWN(3);
#line 3 "exceptions.cc"

#line 3 "exceptions.cc"
                                                                                                      throw; }
#line 3 "exceptions.cc"
                                                                                                             } } 
#line 3 "exceptions.cc"
                                                                                                               }
int main() { int ez_level;
#line 4 "exceptions.cc"
START();
#line 4 "exceptions.cc"
ez_level = ENTER("int main()", 4);
#line 4 "exceptions.cc"
auto ez_leave_3 = [&] { LEAVE(ez_level, 4);
#line 4 "exceptions.cc"
}; ez_guard_<decltype(ez_leave_3)> ez_left_3{ez_leave_3};  {
#line 4 "exceptions.cc"
             return f(0) + f(1) - 3; } 
#line 4 "exceptions.cc"
                                     }
