
#line 1 "conversions.c"
#include "calls.h"
#line 1 "conversions.c"
static unsigned char f(int x) { int ez_level;
#line 1 "conversions.c"
typedef __typeof__(unsigned char) ez_result_1 __attribute__((__unused__));
#line 1 "conversions.c"
ez_level = ENTER("unsigned char f(int)", 1); {
#line 1 "conversions.c"
                                { ez_result_1 ez_result = (
#line 1 "conversions.c"
                                       x); LEAVE(ez_level, 1);
#line 1 "conversions.c"
return ez_result; }
#line 1 "conversions.c"
                                          } 
#line 1 "conversions.c"
                                          }
static double g(int x) { int ez_level;
#line 2 "conversions.c"
typedef __typeof__(double) ez_result_2 __attribute__((__unused__));
#line 2 "conversions.c"
ez_level = ENTER("double g(int)", 2); {
#line 2 "conversions.c"
                         { ez_result_2 ez_result = (
#line 2 "conversions.c"
                                x); LEAVE(ez_level, 2);
#line 2 "conversions.c"
return ez_result; }
#line 2 "conversions.c"
                                   } 
#line 2 "conversions.c"
                                   }
static void *h(void) { int ez_level;
#line 3 "conversions.c"
typedef __typeof__(void *) ez_result_3 __attribute__((__unused__));
#line 3 "conversions.c"
ez_level = ENTER("void *h()", 3); {
#line 3 "conversions.c"
                       { ez_result_3 ez_result = (
#line 3 "conversions.c"
                              0); LEAVE(ez_level, 3);
#line 3 "conversions.c"
return ez_result; }
#line 3 "conversions.c"
                                 } 
#line 3 "conversions.c"
                                 }
int main(void) { int ez_level;
#line 4 "conversions.c"
typedef __typeof__(int) ez_result_4 __attribute__((__unused__));
#line 4 "conversions.c"
START();
#line 4 "conversions.c"
ez_level = ENTER("int main()", 4); {
#line 4 "conversions.c"
                 { ez_result_4 ez_result = (
#line 4 "conversions.c"
                        f(257) - 1 + (g(3) / 2 != 1.5) + (h() != 0)); LEAVE(ez_level, 4);
#line 4 "conversions.c"
return ez_result; }
#line 4 "conversions.c"
                                                                     } 
#line 4 "conversions.c"
                                                                     }
