
#line 1 "empty.c"
#include "calls.h"
#line 1 "empty.c"
static void f(void) { int ez_level;
#line 1 "empty.c"
ez_level = ENTER("void f()", 1); {} LEAVE(ez_level, 1);
#line 1 "empty.c"

#line 1 "empty.c"
                     }
static void g(void) { int ez_level;
#line 2 "empty.c"
ez_level = ENTER("void g()", 2); {
#line 2 "empty.c"
                      ; } LEAVE(ez_level, 2);
#line 2 "empty.c"

#line 2 "empty.c"
                        }
int main(void) { int ez_level;
#line 3 "empty.c"
typedef __typeof__(int) ez_result_3 __attribute__((__unused__));
#line 3 "empty.c"
START();
#line 3 "empty.c"
ez_level = ENTER("int main()", 3); {
#line 3 "empty.c"
                 f(); g(); { ez_result_3 ez_result = (
#line 3 "empty.c"
                                  0); LEAVE(ez_level, 3);
#line 3 "empty.c"
return ez_result; }
#line 3 "empty.c"
                                     } 
#line 3 "empty.c"
                                     }
