
#line 1 "range_for.cc"
namespace { template <class F> struct ez_guard_ { F &f; ~ez_guard_() { f(); } }; }
#line 1 "range_for.cc"
#include "calls.h"
#line 1 "range_for.cc"
#include <vector>
static int f() { int ez_level;
#line 2 "range_for.cc"
ez_level = ENTER("int f()", 2);
#line 2 "range_for.cc"
auto ez_leave_1 = [&] { LEAVE(ez_level, 2);
#line 2 "range_for.cc"
}; ez_guard_<decltype(ez_leave_1)> ez_left_1{ez_leave_1};  {
#line 2 "range_for.cc"
                 std::vector<int> v{ 1, 2, 3 }; int s = 0; { LOOP(2);
#line 2 "range_for.cc"
auto ez_end_1_0 = [&] { DONE(2);
#line 2 "range_for.cc"
}; ez_guard_<decltype(ez_end_1_0)> ez_loop_1_0{ez_end_1_0};
#line 2 "range_for.cc"
                                                           for (int x : v) { if (x == 3) break; s += x; } }
#line 2 "range_for.cc"
                                                                                                          { LOOP(2);
#line 2 "range_for.cc"
auto ez_end_1_1 = [&] { DONE(2);
#line 2 "range_for.cc"
}; ez_guard_<decltype(ez_end_1_1)> ez_loop_1_1{ez_end_1_1};
#line 2 "range_for.cc"
                                                                                                          while (s > 10) return 1; }
#line 2 "range_for.cc"
                                                                                                                                   return s; } 
#line 2 "range_for.cc"
                                                                                                                                             }
int main() { int ez_level;
#line 3 "range_for.cc"
START();
#line 3 "range_for.cc"
ez_level = ENTER("int main()", 3);
#line 3 "range_for.cc"
auto ez_leave_2 = [&] { LEAVE(ez_level, 3);
#line 3 "range_for.cc"
}; ez_guard_<decltype(ez_leave_2)> ez_left_2{ez_leave_2};  {
#line 3 "range_for.cc"
             return f() - 3; } 
#line 3 "range_for.cc"
                             }
