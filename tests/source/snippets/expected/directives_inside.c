#line 2 "snippets.spec"
#include "calls.h"
#line 1 "directives_inside.c"
static int f(int x)
{ 
#line 3 "snippets.spec"
int ez_level;
#line 3 "snippets.spec"
#line 3 "snippets.spec"
typedef __typeof__(int) ez_result_1 __attribute__((__unused__));
#line 5 "snippets.spec"
ez_level = ENTER("int f(int)", 2);
#line 5 "snippets.spec"
 {
#line 2 "directives_inside.c"
 
    { ez_result_1 ez_result = (
#line 3 "directives_inside.c"
           x
#ifdef NOT_DEFINED
        + 100
#else
        + 1
#endif
        ); 
#line 6 "snippets.spec"
LEAVE(ez_level, 3);
#line 6 "snippets.spec"
#line 6 "snippets.spec"
return ez_result; }
#line 9 "directives_inside.c"
         
} 
#line 10 "directives_inside.c"
}
#if 0
int g(void) { return 1; }
#endif
int main(void) { 
#line 3 "snippets.spec"
int ez_level;
#line 3 "snippets.spec"
#line 3 "snippets.spec"
typedef __typeof__(int) ez_result_2 __attribute__((__unused__));
#line 4 "snippets.spec"
START();
#line 4 "snippets.spec"
#line 5 "snippets.spec"
ez_level = ENTER("int main()", 14);
#line 5 "snippets.spec"
 {
#line 14 "directives_inside.c"
                 { ez_result_2 ez_result = (
#line 14 "directives_inside.c"
                        f(1) - 2); 
#line 6 "snippets.spec"
LEAVE(ez_level, 14);
#line 6 "snippets.spec"
#line 6 "snippets.spec"
return ez_result; }
#line 14 "directives_inside.c"
                                  } 
#line 14 "directives_inside.c"
                                  }
