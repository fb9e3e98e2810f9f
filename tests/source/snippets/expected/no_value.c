
#line 1 "no_value.c"
#include "calls.h"
#line 1 "no_value.c"
static void f(int x) { int ez_level;
#line 1 "no_value.c"
ez_level = ENTER("void f(int)", 1); {
#line 1 "no_value.c"
                       if (x) { LEAVE(ez_level, 1);
#line 1 "no_value.c"
                              return; }
#line 1 "no_value.c"
                                      else x++; { LOOP(1);
#line 1 "no_value.c"
                                                for (;;) { DONE(1);
#line 1 "no_value.c"
LEAVE(ez_level, 1);
#line 1 "no_value.c"
                                                         return; }
#line 1 "no_value.c"

#line 1 "no_value.c"
DONE(1);
#line 1 "no_value.c"
}
#line 1 "no_value.c"
                                                                 } LEAVE(ez_level, 1);
#line 1 "no_value.c"

#line 1 "no_value.c"
                                                                 }
int main(void) { int ez_level;
#line 2 "no_value.c"
typedef __typeof__(int) ez_result_2 __attribute__((__unused__));
#line 2 "no_value.c"
START();
#line 2 "no_value.c"
ez_level = ENTER("int main()", 2); {
#line 2 "no_value.c"
                 f(1); f(0); { ez_result_2 ez_result = (
#line 2 "no_value.c"
                                    0); LEAVE(ez_level, 2);
#line 2 "no_value.c"
return ez_result; }
#line 2 "no_value.c"
                                       } 
#line 2 "no_value.c"
                                       }
