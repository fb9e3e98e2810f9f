
#line 1 "label.c"
#include "calls.h"
#line 1 "label.c"
static int f(int x)
{ int ez_level;
#line 2 "label.c"
typedef __typeof__(int) ez_result_1 __attribute__((__unused__));
#line 2 "label.c"
ez_level = ENTER("int f(int)", 2); {
#line 2 "label.c"
 
again:
    if (x++ < 3) goto again;
out: { ez_result_1 ez_result = (
#line 5 "label.c"
            x); LEAVE(ez_level, 5);
#line 5 "label.c"
return ez_result; }
#line 5 "label.c"
              
} LEAVE(ez_level, 6);
#line 6 "label.c"

#line 6 "label.c"
}
int main(void) { int ez_level;
#line 7 "label.c"
typedef __typeof__(int) ez_result_2 __attribute__((__unused__));
#line 7 "label.c"
START();
#line 7 "label.c"
ez_level = ENTER("int main()", 7); {
#line 7 "label.c"
                 { ez_result_2 ez_result = (
#line 7 "label.c"
                        f(0) - 4); LEAVE(ez_level, 7);
#line 7 "label.c"
return ez_result; }
#line 7 "label.c"
                                  } 
#line 7 "label.c"
                                  }
