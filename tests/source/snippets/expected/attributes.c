
#line 1 "attributes.c"
#include "calls.h"
#line 1 "attributes.c"
__attribute__((noinline, const)) static int f(int x) { int ez_level;
#line 1 "attributes.c"
typedef __typeof__(int) ez_result_1 __attribute__((__unused__));
#line 1 "attributes.c"
ez_level = ENTER("int f(int)", 1); {
#line 1 "attributes.c"
                                                       { ez_result_1 ez_result = (
#line 1 "attributes.c"
                                                              x); LEAVE(ez_level, 1);
#line 1 "attributes.c"
return ez_result; }
#line 1 "attributes.c"
                                                                 } 
#line 1 "attributes.c"
                                                                 }
static int g(int) __attribute__((always_inline)) ;
static inline int g(int x) { int ez_level;
#line 3 "attributes.c"
typedef __typeof__(int) ez_result_2 __attribute__((__unused__));
#line 3 "attributes.c"
ez_level = ENTER("int g(int)", 3); {
#line 3 "attributes.c"
                             { ez_result_2 ez_result = (
#line 3 "attributes.c"
                                    x + 1); LEAVE(ez_level, 3);
#line 3 "attributes.c"
return ez_result; }
#line 3 "attributes.c"
                                           } 
#line 3 "attributes.c"
                                           }
int main(void) { int ez_level;
#line 4 "attributes.c"
typedef __typeof__(int) ez_result_3 __attribute__((__unused__));
#line 4 "attributes.c"
START();
#line 4 "attributes.c"
ez_level = ENTER("int main()", 4); {
#line 4 "attributes.c"
                 { ez_result_3 ez_result = (
#line 4 "attributes.c"
                        f(1) + g(1) - 3); LEAVE(ez_level, 4);
#line 4 "attributes.c"
return ez_result; }
#line 4 "attributes.c"
                                         } 
#line 4 "attributes.c"
                                         }
