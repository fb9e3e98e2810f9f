
#line 1 "directives_inside.c"
#include "calls.h"
#line 1 "directives_inside.c"
static int f(int x)
{ int ez_level;
#line 2 "directives_inside.c"
typedef __typeof__(int) ez_result_1 __attribute__((__unused__));
#line 2 "directives_inside.c"
ez_level = ENTER("int f(int)", 2); {
#line 2 "directives_inside.c"
 
    { ez_result_1 ez_result = (
#line 3 "directives_inside.c"
           x
#ifdef NOT_DEFINED
        + 100
#else
        + 1
#endif
        ); LEAVE(ez_level, 3);
#line 9 "directives_inside.c"
return ez_result; }
#line 9 "directives_inside.c"
         
} 
#line 10 "directives_inside.c"
}
#if 0
int g(void) { return 1; }
#endif
int main(void) { int ez_level;
#line 14 "directives_inside.c"
typedef __typeof__(int) ez_result_2 __attribute__((__unused__));
#line 14 "directives_inside.c"
START();
#line 14 "directives_inside.c"
ez_level = ENTER("int main()", 14); {
#line 14 "directives_inside.c"
                 { ez_result_2 ez_result = (
#line 14 "directives_inside.c"
                        f(1) - 2); LEAVE(ez_level, 14);
#line 14 "directives_inside.c"
return ez_result; }
#line 14 "directives_inside.c"
                                  } 
#line 14 "directives_inside.c"
                                  }
