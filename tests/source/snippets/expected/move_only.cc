
#line 1 "move_only.cc"
namespace { template <class F> struct ez_guard_ { F &f; ~ez_guard_() { f(); } }; }
#line 1 "move_only.cc"
#include "calls.h"
#line 1 "move_only.cc"
#include <memory>
struct N { int v; explicit N(int x) : v(x) { int ez_level;
#line 2 "move_only.cc"
ez_level = ENTER("N::N(int)", 2);
#line 2 "move_only.cc"
auto ez_leave_1 = [&] { LEAVE(ez_level, 2);
#line 2 "move_only.cc"
}; ez_guard_<decltype(ez_leave_1)> ez_left_1{ez_leave_1};  {} 
#line 2 "move_only.cc"
                                            } N(const N &) = delete; N(N &&) = delete; };
static N make(int a) { int ez_level;
#line 3 "move_only.cc"
ez_level = ENTER("N make(int)", 3);
#line 3 "move_only.cc"
auto ez_leave_2 = [&] { LEAVE(ez_level, 3);
#line 3 "move_only.cc"
}; ez_guard_<decltype(ez_leave_2)> ez_left_2{ez_leave_2};  {
#line 3 "move_only.cc"
                       if (a) return N(a); return N(-1); } 
#line 3 "move_only.cc"
                                                         }
static std::unique_ptr<int> up(int a) { int ez_level;
#line 4 "move_only.cc"
ez_level = ENTER("std::unique_ptr<int> up(int)", 4);
#line 4 "move_only.cc"
auto ez_leave_3 = [&] { LEAVE(ez_level, 4);
#line 4 "move_only.cc"
}; ez_guard_<decltype(ez_leave_3)> ez_left_3{ez_leave_3};  {
#line 4 "move_only.cc"
                                        std::unique_ptr<int> p(new int(a)); return p; } 
#line 4 "move_only.cc"
                                                                                      }
int main() { int ez_level;
#line 5 "move_only.cc"
START();
#line 5 "move_only.cc"
ez_level = ENTER("int main()", 5);
#line 5 "move_only.cc"
auto ez_leave_4 = [&] { LEAVE(ez_level, 5);
#line 5 "move_only.cc"
}; ez_guard_<decltype(ez_leave_4)> ez_left_4{ez_leave_4};  {
#line 5 "move_only.cc"
             return make(3).v - 3 + *up(4) - 4; } 
#line 5 "move_only.cc"
                                                }
