#line 1 "operators.cc"
namespace { template <class F> struct ez_guard_ { F &f; ~ez_guard_() { f(); } }; }
#line 2 "snippets.spec"
#include "calls.h"
#line 1 "operators.cc"
struct C {
    int a;
    operator int() const { 
#line 3 "snippets.spec"
int ez_level;
#line 3 "snippets.spec"
#line 5 "snippets.spec"
ez_level = ENTER("C::operator int() const", 3);
#line 5 "snippets.spec"
#line 5 "snippets.spec"
auto ez_leave_1 = [&] { 
#line 6 "snippets.spec"
LEAVE(ez_level, 3);
#line 6 "snippets.spec"
#line 6 "snippets.spec"
}; ez_guard_<decltype(ez_leave_1)> ez_left_1{ez_leave_1};  {
#line 3 "operators.cc"
                           return a; } 
#line 3 "operators.cc"
                                     }
    bool operator<(const C &o) const { 
#line 3 "snippets.spec"
int ez_level;
#line 3 "snippets.spec"
#line 5 "snippets.spec"
ez_level = ENTER("bool C::operator<(const C &) const", 4);
#line 5 "snippets.spec"
#line 5 "snippets.spec"
auto ez_leave_2 = [&] { 
#line 6 "snippets.spec"
LEAVE(ez_level, 4);
#line 6 "snippets.spec"
#line 6 "snippets.spec"
}; ez_guard_<decltype(ez_leave_2)> ez_left_2{ez_leave_2};  {
#line 4 "operators.cc"
                                       return a < o.a; } 
#line 4 "operators.cc"
                                                       }
    C &operator++() { 
#line 3 "snippets.spec"
int ez_level;
#line 3 "snippets.spec"
#line 5 "snippets.spec"
ez_level = ENTER("C &C::operator++()", 5);
#line 5 "snippets.spec"
#line 5 "snippets.spec"
auto ez_leave_3 = [&] { 
#line 6 "snippets.spec"
LEAVE(ez_level, 5);
#line 6 "snippets.spec"
#line 6 "snippets.spec"
}; ez_guard_<decltype(ez_leave_3)> ez_left_3{ez_leave_3};  {
#line 5 "operators.cc"
                      ++a; return *this; } 
#line 5 "operators.cc"
                                         }
    int operator()(int x) { 
#line 3 "snippets.spec"
int ez_level;
#line 3 "snippets.spec"
#line 5 "snippets.spec"
ez_level = ENTER("int C::operator()(int)", 6);
#line 5 "snippets.spec"
#line 5 "snippets.spec"
auto ez_leave_4 = [&] { 
#line 6 "snippets.spec"
LEAVE(ez_level, 6);
#line 6 "snippets.spec"
#line 6 "snippets.spec"
}; ez_guard_<decltype(ez_leave_4)> ez_left_4{ez_leave_4};  {
#line 6 "operators.cc"
                            return a + x; } 
#line 6 "operators.cc"
                                          }
};
static int operator""_k(unsigned long long x) { 
#line 3 "snippets.spec"
int ez_level;
#line 3 "snippets.spec"
#line 5 "snippets.spec"
ez_level = ENTER("int operator\"\"_k(unsigned long long)", 8);
#line 5 "snippets.spec"
#line 5 "snippets.spec"
auto ez_leave_5 = [&] { 
#line 6 "snippets.spec"
LEAVE(ez_level, 8);
#line 6 "snippets.spec"
#line 6 "snippets.spec"
}; ez_guard_<decltype(ez_leave_5)> ez_left_5{ez_leave_5};  {
#line 8 "operators.cc"
                                                return (int)x; } 
#line 8 "operators.cc"
                                                               }
int main() { 
#line 3 "snippets.spec"
int ez_level;
#line 3 "snippets.spec"
#line 4 "snippets.spec"
START();
#line 4 "snippets.spec"
#line 5 "snippets.spec"
ez_level = ENTER("int main()", 9);
#line 5 "snippets.spec"
#line 5 "snippets.spec"
auto ez_leave_6 = [&] { 
#line 6 "snippets.spec"
LEAVE(ez_level, 9);
#line 6 "snippets.spec"
#line 6 "snippets.spec"
}; ez_guard_<decltype(ez_leave_6)> ez_left_6{ez_leave_6};  {
#line 9 "operators.cc"
             C c{ 1 }; ++c; return c + (c < c) + c(1) - 5 + 3_k - 3; } 
#line 9 "operators.cc"
                                                                     }
