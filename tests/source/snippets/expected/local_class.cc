#line 1 "local_class.cc"
namespace { template <class F> struct ez_guard_ { F &f; ~ez_guard_() { f(); } }; }
#line 2 "snippets.spec"
#include "calls.h"
#line 1 "local_class.cc"
static int f(int x)
{ 
#line 3 "snippets.spec"
int ez_level;
#line 3 "snippets.spec"
#line 5 "snippets.spec"
ez_level = ENTER("int f(int)", 2);
#line 5 "snippets.spec"
#line 5 "snippets.spec"
int ez_site_1 = 0; auto ez_leave_1 = [&] { switch (ez_site_1) { case 1: { 
#line 6 "snippets.spec"
LEAVE(ez_level, 4);
#line 6 "snippets.spec"
#line 6 "snippets.spec"
} break; default: { 
#line 6 "snippets.spec"
LEAVE(ez_level, 5);
#line 6 "snippets.spec"
#line 6 "snippets.spec"
} }}; ez_guard_<decltype(ez_leave_1)> ez_left_1{ez_leave_1};  {
#line 2 "local_class.cc"
 
    struct L { int v; int get() const { 
#line 3 "snippets.spec"
int ez_level;
#line 3 "snippets.spec"
#line 5 "snippets.spec"
ez_level = ENTER("int f::L::get() const", 3);
#line 5 "snippets.spec"
#line 5 "snippets.spec"
auto ez_leave_2 = [&] { 
#line 6 "snippets.spec"
LEAVE(ez_level, 3);
#line 6 "snippets.spec"
#line 6 "snippets.spec"
}; ez_guard_<decltype(ez_leave_2)> ez_left_2{ez_leave_2};  {
#line 3 "local_class.cc"
                                        return v; } 
#line 3 "local_class.cc"
                                                  } };
    { ez_site_1 = 1;
#line 4 "local_class.cc"
    return L{ x }.get(); }
#line 4 "local_class.cc"
                        
} 
#line 5 "local_class.cc"
}
int main() { 
#line 3 "snippets.spec"
int ez_level;
#line 3 "snippets.spec"
#line 4 "snippets.spec"
START();
#line 4 "snippets.spec"
#line 5 "snippets.spec"
ez_level = ENTER("int main()", 6);
#line 5 "snippets.spec"
#line 5 "snippets.spec"
auto ez_leave_3 = [&] { 
#line 6 "snippets.spec"
LEAVE(ez_level, 6);
#line 6 "snippets.spec"
#line 6 "snippets.spec"
}; ez_guard_<decltype(ez_leave_3)> ez_left_3{ez_leave_3};  {
#line 6 "local_class.cc"
             return f(2) - 2; } 
#line 6 "local_class.cc"
                              }
