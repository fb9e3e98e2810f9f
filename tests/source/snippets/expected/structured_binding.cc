
#line 1 "structured_binding.cc"
namespace { template <class F> struct ez_guard_ { F &f; ~ez_guard_() { f(); } }; }
#line 1 "structured_binding.cc"
#include "calls.h"
#line 1 "structured_binding.cc"
#include <utility>
static int f() { int ez_level;
#line 2 "structured_binding.cc"
ez_level = ENTER("int f()", 2);
#line 2 "structured_binding.cc"
auto ez_leave_1 = [&] { LEAVE(ez_level, 2);
#line 2 "structured_binding.cc"
}; ez_guard_<decltype(ez_leave_1)> ez_left_1{ez_leave_1};  {
#line 2 "structured_binding.cc"
                 auto [a, b] = std::pair(1, 2); { LOOP(2);
#line 2 "structured_binding.cc"
auto ez_end_1_0 = [&] { DONE(2);
#line 2 "structured_binding.cc"
}; ez_guard_<decltype(ez_end_1_0)> ez_loop_1_0{ez_end_1_0};
#line 2 "structured_binding.cc"
                                                for (auto [x, y] : { std::pair(a, b) }) return x + y; }
#line 2 "structured_binding.cc"
                                                                                                      return 0; } 
#line 2 "structured_binding.cc"
                                                                                                                }
int main() { int ez_level;
#line 3 "structured_binding.cc"
START();
#line 3 "structured_binding.cc"
ez_level = ENTER("int main()", 3);
#line 3 "structured_binding.cc"
auto ez_leave_2 = [&] { LEAVE(ez_level, 3);
#line 3 "structured_binding.cc"
}; ez_guard_<decltype(ez_leave_2)> ez_left_2{ez_leave_2};  {
#line 3 "structured_binding.cc"
             return f() - 3; } 
#line 3 "structured_binding.cc"
                             }
