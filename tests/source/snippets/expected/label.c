#line 2 "snippets.spec"
#include "calls.h"
#line 1 "label.c"
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
#line 2 "label.c"
 
again:
    if (x++ < 3) goto again;
out: { ez_result_1 ez_result = (
#line 5 "label.c"
            x); 
#line 6 "snippets.spec"
LEAVE(ez_level, 5);
#line 6 "snippets.spec"
#line 6 "snippets.spec"
return ez_result; }
#line 5 "label.c"
              
} 
#line 6 "snippets.spec"
LEAVE(ez_level, 6);
#line 6 "snippets.spec"
#line 6 "label.c"
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
ez_level = ENTER("int main()", 7);
#line 5 "snippets.spec"
 {
#line 7 "label.c"
                 { ez_result_2 ez_result = (
#line 7 "label.c"
                        f(0) - 4); 
#line 6 "snippets.spec"
LEAVE(ez_level, 7);
#line 6 "snippets.spec"
#line 6 "snippets.spec"
return ez_result; }
#line 7 "label.c"
                                  } 
#line 7 "label.c"
                                  }
