
#line 1 "noreturn.c"
#include "calls.h"
#line 1 "noreturn.c"
#include <stdlib.h>
_Noreturn static void die(int x) { int ez_level;
#line 2 "noreturn.c"
ez_level = ENTER("void die(int)", 2); {
#line 2 "noreturn.c"
                                   __extension__ ({ STOP(2);
#line 2 "noreturn.c"

#line 2 "noreturn.c"
                                   exit(x); })
#line 2 "noreturn.c"
                                          ; } LEAVE(ez_level, 2);
#line 2 "noreturn.c"

#line 2 "noreturn.c"
                                            }
static int f(int x) { int ez_level;
#line 3 "noreturn.c"
typedef __typeof__(int) ez_result_2 __attribute__((__unused__));
#line 3 "noreturn.c"
ez_level = ENTER("int f(int)", 3); {
#line 3 "noreturn.c"
                      if (!x) die(0); { ez_result_2 ez_result = (
#line 3 "noreturn.c"
                                             x); LEAVE(ez_level, 3);
#line 3 "noreturn.c"
return ez_result; }
#line 3 "noreturn.c"
                                                } 
#line 3 "noreturn.c"
                                                }
int main(void) { int ez_level;
#line 4 "noreturn.c"
typedef __typeof__(int) ez_result_3 __attribute__((__unused__));
#line 4 "noreturn.c"
START();
#line 4 "noreturn.c"
ez_level = ENTER("int main()", 4); {
#line 4 "noreturn.c"
                 f(1); f(0); } LEAVE(ez_level, 4);
#line 4 "noreturn.c"

#line 4 "noreturn.c"
                             }
