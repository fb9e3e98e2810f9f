#line 1 "lambda_constant_called.cc"
namespace { template <class F> struct ez_guard_ { F &f; ~ez_guard_() { f(); } }; }
#line 2 "snippets.spec"
#include "calls.h"
#line 1 "lambda_constant_called.cc"
static int f()
{ 
#line 3 "snippets.spec"
int ez_level;
#line 3 "snippets.spec"
#line 5 "snippets.spec"
ez_level = ENTER("int f()", 2);
#line 5 "snippets.spec"
#line 5 "snippets.spec"
int ez_site_1 = 0; auto ez_leave_1 = [&] { switch (ez_site_1) { case 1: { 
#line 6 "snippets.spec"
LEAVE(ez_level, 10);
#line 6 "snippets.spec"
#line 6 "snippets.spec"
} break; default: { 
#line 6 "snippets.spec"
LEAVE(ez_level, 11);
#line 6 "snippets.spec"
#line 6 "snippets.spec"
} }}; ez_guard_<decltype(ez_leave_1)> ez_left_1{ez_leave_1};  {
#line 2 "lambda_constant_called.cc"
 
    auto sq = [](int x) {
        return x * x;
    };
    auto twice = [](int x) { 
#line 3 "snippets.spec"
int ez_level;
#line 3 "snippets.spec"
#line 5 "snippets.spec"
ez_level = ENTER("f::operator()", 6);
#line 5 "snippets.spec"
#line 5 "snippets.spec"
int ez_site_3 = 0; auto ez_leave_3 = [&] { switch (ez_site_3) { case 1: { 
#line 6 "snippets.spec"
LEAVE(ez_level, 7);
#line 6 "snippets.spec"
#line 6 "snippets.spec"
} break; default: { 
#line 6 "snippets.spec"
LEAVE(ez_level, 8);
#line 6 "snippets.spec"
#line 6 "snippets.spec"
} }}; ez_guard_<decltype(ez_leave_3)> ez_left_3{ez_leave_3};  {
#line 6 "lambda_constant_called.cc"
                            
        { ez_site_3 = 1;
#line 7 "lambda_constant_called.cc"
        return x + x; }
#line 7 "lambda_constant_called.cc"
                     
    } 
#line 8 "lambda_constant_called.cc"
    };
    static_assert(sq(3) == 9, "");
    { ez_site_1 = 1;
#line 10 "lambda_constant_called.cc"
    return sq(2) + twice(1); }
#line 10 "lambda_constant_called.cc"
                            
} 
#line 11 "lambda_constant_called.cc"
}
int main() { 
#line 3 "snippets.spec"
int ez_level;
#line 3 "snippets.spec"
#line 4 "snippets.spec"
START();
#line 4 "snippets.spec"
#line 5 "snippets.spec"
ez_level = ENTER("int main()", 12);
#line 5 "snippets.spec"
#line 5 "snippets.spec"
auto ez_leave_4 = [&] { 
#line 6 "snippets.spec"
LEAVE(ez_level, 12);
#line 6 "snippets.spec"
#line 6 "snippets.spec"
}; ez_guard_<decltype(ez_leave_4)> ez_left_4{ez_leave_4};  {
#line 12 "lambda_constant_called.cc"
             return f() - 6; } 
#line 12 "lambda_constant_called.cc"
                             }
