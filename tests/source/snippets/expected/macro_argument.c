
#line 1 "macro_argument.c"
#include "calls.h"
#line 1 "macro_argument.c"
#define DO(x) do { x; } while (0)
static int f(int x) { int ez_level;
#line 2 "macro_argument.c"
typedef __typeof__(int) ez_result_1 __attribute__((__unused__));
#line 2 "macro_argument.c"
ez_level = ENTER("int f(int)", 2); {
#line 2 "macro_argument.c"
                      { LOOP(2);
#line 2 "macro_argument.c"
                      do { if (x) { ez_result_1 ez_result = (
#line 2 "macro_argument.c"
                                         5); DONE(2);
#line 2 "macro_argument.c"
LEAVE(ez_level, 2);
#line 2 "macro_argument.c"
return ez_result; }
#line 2 "macro_argument.c"
                                            } while (0) ;
#line 2 "macro_argument.c"
DONE(2);
#line 2 "macro_argument.c"
}
#line 2 "macro_argument.c"
                                                          { ez_result_1 ez_result = (
#line 2 "macro_argument.c"
                                                                 6); LEAVE(ez_level, 2);
#line 2 "macro_argument.c"
return ez_result; }
#line 2 "macro_argument.c"
                                                                    } 
#line 2 "macro_argument.c"
                                                                    }
int main(void) { int ez_level;
#line 3 "macro_argument.c"
typedef __typeof__(int) ez_result_2 __attribute__((__unused__));
#line 3 "macro_argument.c"
START();
#line 3 "macro_argument.c"
ez_level = ENTER("int main()", 3); {
#line 3 "macro_argument.c"
                 { ez_result_2 ez_result = (
#line 3 "macro_argument.c"
                        f(1) + f(0) - 11); LEAVE(ez_level, 3);
#line 3 "macro_argument.c"
return ez_result; }
#line 3 "macro_argument.c"
                                          } 
#line 3 "macro_argument.c"
                                          }
