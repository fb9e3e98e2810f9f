
#line 1 "return_comma.c"
#include "calls.h"
#line 1 "return_comma.c"
static int f(int x) { int ez_level;
#line 1 "return_comma.c"
typedef __typeof__(int) ez_result_1 __attribute__((__unused__));
#line 1 "return_comma.c"
ez_level = ENTER("int f(int)", 1); {
#line 1 "return_comma.c"
                      { ez_result_1 ez_result = (
#line 1 "return_comma.c"
                             x++, x); LEAVE(ez_level, 1);
#line 1 "return_comma.c"
return ez_result; }
#line 1 "return_comma.c"
                                     } 
#line 1 "return_comma.c"
                                     }
int main(void) { int ez_level;
#line 2 "return_comma.c"
typedef __typeof__(int) ez_result_2 __attribute__((__unused__));
#line 2 "return_comma.c"
START();
#line 2 "return_comma.c"
ez_level = ENTER("int main()", 2); {
#line 2 "return_comma.c"
                 { ez_result_2 ez_result = (
#line 2 "return_comma.c"
                        f(1) - 2); LEAVE(ez_level, 2);
#line 2 "return_comma.c"
return ez_result; }
#line 2 "return_comma.c"
                                  } 
#line 2 "return_comma.c"
                                  }
