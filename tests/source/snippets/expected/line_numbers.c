
#line 1 "line_numbers.c"
#include "calls.h"
#line 1 "line_numbers.c"
static int f(void) { int ez_level;
#line 1 "line_numbers.c"
typedef __typeof__(int) ez_result_1 __attribute__((__unused__));
#line 1 "line_numbers.c"
ez_level = ENTER("int f()", 1); {
#line 1 "line_numbers.c"
                     { ez_result_1 ez_result = (
#line 1 "line_numbers.c"
                            1 ); LEAVE(ez_level, 1);
#line 1 "line_numbers.c"
return ez_result; }
#line 1 "line_numbers.c"
                                } 
#line 1 "line_numbers.c"
                                } static int g(void) { int ez_level;
#line 1 "line_numbers.c"
typedef __typeof__(int) ez_result_2 __attribute__((__unused__));
#line 1 "line_numbers.c"
ez_level = ENTER("int g()", 1); {
#line 1 "line_numbers.c"
                                                       { ez_result_2 ez_result = (
#line 1 "line_numbers.c"
                                                              1 ); LEAVE(ez_level, 1);
#line 1 "line_numbers.c"
return ez_result; }
#line 1 "line_numbers.c"
                                                                  } 
#line 1 "line_numbers.c"
                                                                  }
static int h(void)
{ int ez_level;
#line 3 "line_numbers.c"
typedef __typeof__(int) ez_result_3 __attribute__((__unused__));
#line 3 "line_numbers.c"
ez_level = ENTER("int h()", 3); {
#line 3 "line_numbers.c"
 
    if (f() != 1) { ez_result_3 ez_result = (
#line 4 "line_numbers.c"
                         1); LEAVE(ez_level, 4);
#line 4 "line_numbers.c"
return ez_result; }
#line 4 "line_numbers.c"
                            if (g() != 1) { ez_result_3 ez_result = (
#line 4 "line_numbers.c"
                                                 2); LEAVE(ez_level, 4);
#line 4 "line_numbers.c"
return ez_result; }
#line 4 "line_numbers.c"
                                                   
    { ez_result_3 ez_result = (
#line 5 "line_numbers.c"
           __LINE__ - 5); LEAVE(ez_level, 5);
#line 5 "line_numbers.c"
return ez_result; }
#line 5 "line_numbers.c"
                        
} 
#line 6 "line_numbers.c"
}
int main(void) { int ez_level;
#line 7 "line_numbers.c"
typedef __typeof__(int) ez_result_4 __attribute__((__unused__));
#line 7 "line_numbers.c"
START();
#line 7 "line_numbers.c"
ez_level = ENTER("int main()", 7); {
#line 7 "line_numbers.c"
                 { ez_result_4 ez_result = (
#line 7 "line_numbers.c"
                        h() + (__FILE__[0] != 'l' && __FILE__[0] != '/' && __FILE__[0] != '.')); LEAVE(ez_level, 7);
#line 7 "line_numbers.c"
return ez_result; }
#line 7 "line_numbers.c"
                                                                                                } 
#line 7 "line_numbers.c"
                                                                                                }
