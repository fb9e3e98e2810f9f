#line 2 "snippets.spec"
#include "calls.h"
#line 1 "conversions.c"
static unsigned char f(int x) { 
#line 3 "snippets.spec"
int ez_level;
#line 3 "snippets.spec"
#line 3 "snippets.spec"
typedef __typeof__(unsigned char) ez_result_1 __attribute__((__unused__));
#line 5 "snippets.spec"
ez_level = ENTER("unsigned char f(int)", 1);
#line 5 "snippets.spec"
 {
#line 1 "conversions.c"
                                { ez_result_1 ez_result = (
#line 1 "conversions.c"
                                       x); 
#line 6 "snippets.spec"
LEAVE(ez_level, 1);
#line 6 "snippets.spec"
#line 6 "snippets.spec"
return ez_result; }
#line 1 "conversions.c"
                                          } 
#line 1 "conversions.c"
                                          }
static double g(int x) { 
#line 3 "snippets.spec"
int ez_level;
#line 3 "snippets.spec"
#line 3 "snippets.spec"
typedef __typeof__(double) ez_result_2 __attribute__((__unused__));
#line 5 "snippets.spec"
ez_level = ENTER("double g(int)", 2);
#line 5 "snippets.spec"
 {
#line 2 "conversions.c"
                         { ez_result_2 ez_result = (
#line 2 "conversions.c"
                                x); 
#line 6 "snippets.spec"
LEAVE(ez_level, 2);
#line 6 "snippets.spec"
#line 6 "snippets.spec"
return ez_result; }
#line 2 "conversions.c"
                                   } 
#line 2 "conversions.c"
                                   }
static void *h(void) { 
#line 3 "snippets.spec"
int ez_level;
#line 3 "snippets.spec"
#line 3 "snippets.spec"
typedef __typeof__(void *) ez_result_3 __attribute__((__unused__));
#line 5 "snippets.spec"
ez_level = ENTER("void *h()", 3);
#line 5 "snippets.spec"
 {
#line 3 "conversions.c"
                       { ez_result_3 ez_result = (
#line 3 "conversions.c"
                              0); 
#line 6 "snippets.spec"
LEAVE(ez_level, 3);
#line 6 "snippets.spec"
#line 6 "snippets.spec"
return ez_result; }
#line 3 "conversions.c"
                                 } 
#line 3 "conversions.c"
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
ez_level = ENTER("int main()", 4);
#line 5 "snippets.spec"
 {
#line 4 "conversions.c"
                 { ez_result_4 ez_result = (
#line 4 "conversions.c"
                        f(257) - 1 + (g(3) / 2 != 1.5) + (h() != 0)); 
#line 6 "snippets.spec"
LEAVE(ez_level, 4);
#line 6 "snippets.spec"
#line 6 "snippets.spec"
return ez_result; }
#line 4 "conversions.c"
                                                                     } 
#line 4 "conversions.c"
                                                                     }
