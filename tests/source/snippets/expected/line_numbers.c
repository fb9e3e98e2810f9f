#line 2 "snippets.spec"
#include "calls.h"
#line 1 "line_numbers.c"
static int f(void) { 
#line 3 "snippets.spec"
int ez_level;
#line 3 "snippets.spec"
#line 3 "snippets.spec"
typedef __typeof__(int) ez_result_1 __attribute__((__unused__));
#line 5 "snippets.spec"
ez_level = ENTER("int f()", 1);
#line 5 "snippets.spec"
 {
#line 1 "line_numbers.c"
                     { ez_result_1 ez_result = (
#line 1 "line_numbers.c"
                            1 ); 
#line 6 "snippets.spec"
LEAVE(ez_level, 1);
#line 6 "snippets.spec"
#line 6 "snippets.spec"
return ez_result; }
#line 1 "line_numbers.c"
                                } 
#line 1 "line_numbers.c"
                                } static int g(void) { 
#line 3 "snippets.spec"
int ez_level;
#line 3 "snippets.spec"
#line 3 "snippets.spec"
typedef __typeof__(int) ez_result_2 __attribute__((__unused__));
#line 5 "snippets.spec"
ez_level = ENTER("int g()", 1);
#line 5 "snippets.spec"
 {
#line 1 "line_numbers.c"
                                                       { ez_result_2 ez_result = (
#line 1 "line_numbers.c"
                                                              1 ); 
#line 6 "snippets.spec"
LEAVE(ez_level, 1);
#line 6 "snippets.spec"
#line 6 "snippets.spec"
return ez_result; }
#line 1 "line_numbers.c"
                                                                  } 
#line 1 "line_numbers.c"
                                                                  }
static int h(void)
{ 
#line 3 "snippets.spec"
int ez_level;
#line 3 "snippets.spec"
#line 3 "snippets.spec"
typedef __typeof__(int) ez_result_3 __attribute__((__unused__));
#line 5 "snippets.spec"
ez_level = ENTER("int h()", 3);
#line 5 "snippets.spec"
 {
#line 3 "line_numbers.c"
 
    if (f() != 1) { ez_result_3 ez_result = (
#line 4 "line_numbers.c"
                         1); 
#line 6 "snippets.spec"
LEAVE(ez_level, 4);
#line 6 "snippets.spec"
#line 6 "snippets.spec"
return ez_result; }
#line 4 "line_numbers.c"
                            if (g() != 1) { ez_result_3 ez_result = (
#line 4 "line_numbers.c"
                                                 2); 
#line 6 "snippets.spec"
LEAVE(ez_level, 4);
#line 6 "snippets.spec"
#line 6 "snippets.spec"
return ez_result; }
#line 4 "line_numbers.c"
                                                   
    { ez_result_3 ez_result = (
#line 5 "line_numbers.c"
           __LINE__ - 5); 
#line 6 "snippets.spec"
LEAVE(ez_level, 5);
#line 6 "snippets.spec"
#line 6 "snippets.spec"
return ez_result; }
#line 5 "line_numbers.c"
                        
} 
#line 6 "line_numbers.c"
}
int main(void) { 
#line 3 "snippets.spec"
int ez_level;
#line 3 "snippets.spec"
#line 3 "snippets.spec"
typedef __typeof__(int) ez_result_4 __attribute__((__unused__));
#line 4 "snippets.spec"
START();
#line 4 "snippets.spec"
#line 5 "snippets.spec"
ez_level = ENTER("int main()", 7);
#line 5 "snippets.spec"
 {
#line 7 "line_numbers.c"
                 { ez_result_4 ez_result = (
#line 7 "line_numbers.c"
                        h() + (__FILE__[0] != 'l' && __FILE__[0] != '/' && __FILE__[0] != '.')); 
#line 6 "snippets.spec"
LEAVE(ez_level, 7);
#line 6 "snippets.spec"
#line 6 "snippets.spec"
return ez_result; }
#line 7 "line_numbers.c"
                                                                                                } 
#line 7 "line_numbers.c"
                                                                                                }
