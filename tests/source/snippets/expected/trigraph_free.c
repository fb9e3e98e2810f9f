
#line 1 "trigraph_free.c"
#include "calls.h"
#line 1 "trigraph_free.c"
static int f(int x) { int ez_level;
#line 1 "trigraph_free.c"
typedef __typeof__(int) ez_result_1 __attribute__((__unused__));
#line 1 "trigraph_free.c"
ez_level = ENTER("int f(int)", 1); {
#line 1 "trigraph_free.c"
                      { ez_result_1 ez_result = (
#line 1 "trigraph_free.c"
                             x \
    + 1); LEAVE(ez_level, 1);
#line 2 "trigraph_free.c"
return ez_result; }
#line 2 "trigraph_free.c"
         } 
#line 2 "trigraph_free.c"
         } // a comment \
that goes on
int main(void) { int ez_level;
#line 4 "trigraph_free.c"
typedef __typeof__(int) ez_result_2 __attribute__((__unused__));
#line 4 "trigraph_free.c"
START();
#line 4 "trigraph_free.c"
ez_level = ENTER("int main()", 4); {
#line 4 "trigraph_free.c"
                 { ez_result_2 ez_result = (
#line 4 "trigraph_free.c"
                        f(1) - 2); LEAVE(ez_level, 4);
#line 4 "trigraph_free.c"
return ez_result; }
#line 4 "trigraph_free.c"
                                  } 
#line 4 "trigraph_free.c"
                                  }
