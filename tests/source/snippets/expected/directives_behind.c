#line 2 "snippets.spec"
#include "calls.h"
#line 1 "directives_behind.c"
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
        ); 
#line 6 "snippets.spec"
LEAVE(ez_level, 4);
#line 6 "snippets.spec"
#line 6 "snippets.spec"
return ez_result; }
#line 16 "directives_behind.c"
         
} 
#line 17 "directives_behind.c"
}
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
ez_level = ENTER("int main()", 18);
#line 5 "snippets.spec"
 {
#line 18 "directives_behind.c"
                 { ez_result_2 ez_result = (
#line 18 "directives_behind.c"
                        f(1) - 2); 
#line 6 "snippets.spec"
LEAVE(ez_level, 18);
#line 6 "snippets.spec"
#line 6 "snippets.spec"
return ez_result; }
#line 18 "directives_behind.c"
                                  } 
#line 18 "directives_behind.c"
                                  }
