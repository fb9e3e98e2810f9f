
#line 1 "directives_behind.c"
#include "calls.h"
#line 1 "directives_behind.c"
static int f(int x)
{ int ez_level;
#line 2 "directives_behind.c"
typedef __typeof__(int) ez_result_1 __attribute__((__unused__));
#line 2 "directives_behind.c"
ez_level = ENTER("int f(int)", 2); {
#line 2 "directives_behind.c"
 
#define ONE 1
    { ez_result_1 ez_result = (
#line 4 "directives_behind.c"
           x
#ifdef ONE
        + 1
#  ifdef TWO
        + 2
#  endif
#else
        + 100;
#  if 1
    return 4
#  endif
#endif
        ); LEAVE(ez_level, 4);
#line 16 "directives_behind.c"
return ez_result; }
#line 16 "directives_behind.c"
         
} 
#line 17 "directives_behind.c"
}
int main(void) { int ez_level;
#line 18 "directives_behind.c"
typedef __typeof__(int) ez_result_2 __attribute__((__unused__));
#line 18 "directives_behind.c"
START();
#line 18 "directives_behind.c"
ez_level = ENTER("int main()", 18); {
#line 18 "directives_behind.c"
                 { ez_result_2 ez_result = (
#line 18 "directives_behind.c"
                        f(1) - 2); LEAVE(ez_level, 18);
#line 18 "directives_behind.c"
return ez_result; }
#line 18 "directives_behind.c"
                                  } 
#line 18 "directives_behind.c"
                                  }
