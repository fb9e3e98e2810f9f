#line 1 "range_for.cc"
namespace { template <class F> struct ez_guard_ { F &f; ~ez_guard_() { f(); } }; }
#line 2 "snippets.spec"
#include "calls.h"
#line 1 "range_for.cc"
#include <vector>
static int f() { 
#line 3 "snippets.spec"
int ez_level;
#line 3 "snippets.spec"
#line 5 "snippets.spec"
ez_level = ENTER("int f()", 2);
#line 5 "snippets.spec"
#line 5 "snippets.spec"
auto ez_leave_1 = [&] { 
#line 6 "snippets.spec"
LEAVE(ez_level, 2);
#line 6 "snippets.spec"
#line 6 "snippets.spec"
}; ez_guard_<decltype(ez_leave_1)> ez_left_1{ez_leave_1};  {
#line 2 "range_for.cc"
                 std::vector<int> v{ 1, 2, 3 }; int s = 0; { 
#line 8 "snippets.spec"
LOOP(2);
#line 8 "snippets.spec"
#line 8 "snippets.spec"
auto ez_end_1_0 = [&] { 
#line 9 "snippets.spec"
DONE(2);
#line 9 "snippets.spec"
#line 9 "snippets.spec"
}; ez_guard_<decltype(ez_end_1_0)> ez_loop_1_0{ez_end_1_0};
#line 2 "range_for.cc"
                                                           for (int x : v) { if (x == 3) break; s += x; } }
#line 2 "range_for.cc"
                                                                                                          { 
#line 8 "snippets.spec"
LOOP(2);
#line 8 "snippets.spec"
#line 8 "snippets.spec"
auto ez_end_1_1 = [&] { 
#line 9 "snippets.spec"
DONE(2);
#line 9 "snippets.spec"
#line 9 "snippets.spec"
}; ez_guard_<decltype(ez_end_1_1)> ez_loop_1_1{ez_end_1_1};
#line 2 "range_for.cc"
                                                                                                          while (s > 10) return 1; }
#line 2 "range_for.cc"
                                                                                                                                   return s; } 
#line 2 "range_for.cc"
                                                                                                                                             }
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
auto ez_leave_2 = [&] { 
#line 6 "snippets.spec"
LEAVE(ez_level, 3);
#line 6 "snippets.spec"
#line 6 "snippets.spec"
}; ez_guard_<decltype(ez_leave_2)> ez_left_2{ez_leave_2};  {
#line 3 "range_for.cc"
             return f() - 3; } 
#line 3 "range_for.cc"
                             }
