#line 1 "templates.cc"
namespace { template <class F> struct ez_guard_ { F &f; ~ez_guard_() { f(); } }; }
#line 2 "snippets.spec"
#include "calls.h"
#line 1 "templates.cc"
#include <string>
template <class T> struct Box {
    T t;
    T get() const { 
#line 3 "snippets.spec"
int ez_level;
#line 3 "snippets.spec"
#line 5 "snippets.spec"
ez_level = ENTER("T Box<T>::get() const", 4);
#line 5 "snippets.spec"
#line 5 "snippets.spec"
auto ez_leave_1 = [&] { 
#line 6 "snippets.spec"
LEAVE(ez_level, 4);
#line 6 "snippets.spec"
#line 6 "snippets.spec"
}; ez_guard_<decltype(ez_leave_1)> ez_left_1{ez_leave_1};  {
#line 4 "templates.cc"
                    return t; } 
#line 4 "templates.cc"
                              }
    template <class U> U as() { 
#line 3 "snippets.spec"
int ez_level;
#line 3 "snippets.spec"
#line 5 "snippets.spec"
ez_level = ENTER("U Box<T>::as()", 5);
#line 5 "snippets.spec"
#line 5 "snippets.spec"
auto ez_leave_2 = [&] { 
#line 6 "snippets.spec"
LEAVE(ez_level, 5);
#line 6 "snippets.spec"
#line 6 "snippets.spec"
}; ez_guard_<decltype(ez_leave_2)> ez_left_2{ez_leave_2};  {
#line 5 "templates.cc"
                                return U(t); } 
#line 5 "templates.cc"
                                             }
    static int n() { 
#line 3 "snippets.spec"
int ez_level;
#line 3 "snippets.spec"
#line 5 "snippets.spec"
ez_level = ENTER("int Box<T>::n()", 6);
#line 5 "snippets.spec"
#line 5 "snippets.spec"
auto ez_leave_3 = [&] { 
#line 6 "snippets.spec"
LEAVE(ez_level, 6);
#line 6 "snippets.spec"
#line 6 "snippets.spec"
}; ez_guard_<decltype(ez_leave_3)> ez_left_3{ez_leave_3};  {
#line 6 "templates.cc"
                     return 3; } 
#line 6 "templates.cc"
                               }
};
template <class T> T larger(T a, T b) { 
#line 3 "snippets.spec"
int ez_level;
#line 3 "snippets.spec"
#line 5 "snippets.spec"
ez_level = ENTER("T larger(T, T)", 8);
#line 5 "snippets.spec"
#line 5 "snippets.spec"
auto ez_leave_4 = [&] { 
#line 6 "snippets.spec"
LEAVE(ez_level, 8);
#line 6 "snippets.spec"
#line 6 "snippets.spec"
}; ez_guard_<decltype(ez_leave_4)> ez_left_4{ez_leave_4};  {
#line 8 "templates.cc"
                                        return a < b ? b : a; } 
#line 8 "templates.cc"
                                                              }
template <> int larger<int>(int a, int b) { 
#line 3 "snippets.spec"
int ez_level;
#line 3 "snippets.spec"
#line 5 "snippets.spec"
ez_level = ENTER("int larger<>(int, int)", 9);
#line 5 "snippets.spec"
#line 5 "snippets.spec"
auto ez_leave_5 = [&] { 
#line 6 "snippets.spec"
LEAVE(ez_level, 9);
#line 6 "snippets.spec"
#line 6 "snippets.spec"
}; ez_guard_<decltype(ez_leave_5)> ez_left_5{ez_leave_5};  {
#line 9 "templates.cc"
                                            return a > b ? a : b; } 
#line 9 "templates.cc"
                                                                  }
int main() { 
#line 3 "snippets.spec"
int ez_level;
#line 3 "snippets.spec"
#line 4 "snippets.spec"
START();
#line 4 "snippets.spec"
#line 5 "snippets.spec"
ez_level = ENTER("int main()", 10);
#line 5 "snippets.spec"
#line 5 "snippets.spec"
auto ez_leave_6 = [&] { 
#line 6 "snippets.spec"
LEAVE(ez_level, 10);
#line 6 "snippets.spec"
#line 6 "snippets.spec"
}; ez_guard_<decltype(ez_leave_6)> ez_left_6{ez_leave_6};  {
#line 10 "templates.cc"
             Box<int> b{ 3 }; return (int)b.as<double>() - b.get() + larger(1, 2) - 2 + (larger(1.5, 2.5) != 2.5) + Box<int>::n() - 3; } 
#line 10 "templates.cc"
                                                                                                                                       }
