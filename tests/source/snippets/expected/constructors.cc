
#line 1 "constructors.cc"
namespace { template <class F> struct ez_guard_ { F &f; ~ez_guard_() { f(); } }; }
#line 1 "constructors.cc"
#include "calls.h"
#line 1 "constructors.cc"
static int n;
struct B { int b; explicit B(int x) : b(x) { int ez_level;
#line 2 "constructors.cc"
ez_level = ENTER("B::B(int)", 2);
#line 2 "constructors.cc"
auto ez_leave_1 = [&] { LEAVE(ez_level, 2);
#line 2 "constructors.cc"
}; ez_guard_<decltype(ez_leave_1)> ez_left_1{ez_leave_1};  {
#line 2 "constructors.cc"
                                             n++; } 
#line 2 "constructors.cc"
                                                  } virtual ~B() { int ez_level;
#line 2 "constructors.cc"
ez_level = ENTER("B::~B()", 2);
#line 2 "constructors.cc"
auto ez_leave_2 = [&] { LEAVE(ez_level, 2);
#line 2 "constructors.cc"
}; ez_guard_<decltype(ez_leave_2)> ez_left_2{ez_leave_2};  {
#line 2 "constructors.cc"
                                                                   n--; } 
#line 2 "constructors.cc"
                                                                        } };
struct D : B { int d; D() : B(1), d{2} { int ez_level;
#line 3 "constructors.cc"
ez_level = ENTER("D::D()", 3);
#line 3 "constructors.cc"
auto ez_leave_3 = [&] { LEAVE(ez_level, 3);
#line 3 "constructors.cc"
}; ez_guard_<decltype(ez_leave_3)> ez_left_3{ez_leave_3};  {} 
#line 3 "constructors.cc"
                                        } ~D() override { int ez_level;
#line 3 "constructors.cc"
ez_level = ENTER("D::~D()", 3);
#line 3 "constructors.cc"
auto ez_leave_4 = [&] { LEAVE(ez_level, 3);
#line 3 "constructors.cc"
}; ez_guard_<decltype(ez_leave_4)> ez_left_4{ez_leave_4};  {} 
#line 3 "constructors.cc"
                                                         } };
int main() { int ez_level;
#line 4 "constructors.cc"
START();
#line 4 "constructors.cc"
ez_level = ENTER("int main()", 4);
#line 4 "constructors.cc"
auto ez_leave_5 = [&] { LEAVE(ez_level, 4);
#line 4 "constructors.cc"
}; ez_guard_<decltype(ez_leave_5)> ez_left_5{ez_leave_5};  {
#line 4 "constructors.cc"
             { D d; n += d.b + d.d - 3; } return n; } 
#line 4 "constructors.cc"
                                                    }
