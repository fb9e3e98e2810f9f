
#line 1 "operators.cc"
namespace { template <class F> struct ez_guard_ { F &f; ~ez_guard_() { f(); } }; }
#line 1 "operators.cc"
#include "calls.h"
#line 1 "operators.cc"
struct C {
    int a;
    operator int() const { int ez_level;
#line 3 "operators.cc"
ez_level = ENTER("C::operator int() const", 3);
#line 3 "operators.cc"
auto ez_leave_1 = [&] { LEAVE(ez_level, 3);
#line 3 "operators.cc"
}; ez_guard_<decltype(ez_leave_1)> ez_left_1{ez_leave_1};  {
#line 3 "operators.cc"
                           return a; } 
#line 3 "operators.cc"
                                     }
    bool operator<(const C &o) const { int ez_level;
#line 4 "operators.cc"
ez_level = ENTER("bool C::operator<(const C &) const", 4);
#line 4 "operators.cc"
auto ez_leave_2 = [&] { LEAVE(ez_level, 4);
#line 4 "operators.cc"
}; ez_guard_<decltype(ez_leave_2)> ez_left_2{ez_leave_2};  {
#line 4 "operators.cc"
                                       return a < o.a; } 
#line 4 "operators.cc"
                                                       }
    C &operator++() { int ez_level;
#line 5 "operators.cc"
ez_level = ENTER("C &C::operator++()", 5);
#line 5 "operators.cc"
auto ez_leave_3 = [&] { LEAVE(ez_level, 5);
#line 5 "operators.cc"
}; ez_guard_<decltype(ez_leave_3)> ez_left_3{ez_leave_3};  {
#line 5 "operators.cc"
                      ++a; return *this; } 
#line 5 "operators.cc"
                                         }
    int operator()(int x) { int ez_level;
#line 6 "operators.cc"
ez_level = ENTER("int C::operator()(int)", 6);
#line 6 "operators.cc"
auto ez_leave_4 = [&] { LEAVE(ez_level, 6);
#line 6 "operators.cc"
}; ez_guard_<decltype(ez_leave_4)> ez_left_4{ez_leave_4};  {
#line 6 "operators.cc"
                            return a + x; } 
#line 6 "operators.cc"
                                          }
};
static int operator""_k(unsigned long long x) { int ez_level;
#line 8 "operators.cc"
ez_level = ENTER("int operator\"\"_k(unsigned long long)", 8);
#line 8 "operators.cc"
auto ez_leave_5 = [&] { LEAVE(ez_level, 8);
#line 8 "operators.cc"
}; ez_guard_<decltype(ez_leave_5)> ez_left_5{ez_leave_5};  {
#line 8 "operators.cc"
                                                return (int)x; } 
#line 8 "operators.cc"
                                                               }
int main() { int ez_level;
#line 9 "operators.cc"
START();
#line 9 "operators.cc"
ez_level = ENTER("int main()", 9);
#line 9 "operators.cc"
auto ez_leave_6 = [&] { LEAVE(ez_level, 9);
#line 9 "operators.cc"
}; ez_guard_<decltype(ez_leave_6)> ez_left_6{ez_leave_6};  {
#line 9 "operators.cc"
             C c{ 1 }; ++c; return c + (c < c) + c(1) - 5 + 3_k - 3; } 
#line 9 "operators.cc"
                                                                     }
