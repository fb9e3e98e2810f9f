#line 2 "snippets.spec"
#include "calls.h"
#line 1 "if_return.c"
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
#line 2 "if_return.c"
 
    if (x) { ez_result_1 ez_result = (
#line 3 "if_return.c"
                  1); 
#line 6 "snippets.spec"
LEAVE(ez_level, 3);
#line 6 "snippets.spec"
#line 6 "snippets.spec"
return ez_result; }
#line 3 "if_return.c"
                     else { ez_result_1 ez_result = (
#line 3 "if_return.c"
                                 2); 
#line 6 "snippets.spec"
LEAVE(ez_level, 3);
#line 6 "snippets.spec"
#line 6 "snippets.spec"
return ez_result; }
#line 3 "if_return.c"
                                   
} 
#line 6 "snippets.spec"
LEAVE(ez_level, 4);
#line 6 "snippets.spec"
#line 4 "if_return.c"
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
ez_level = ENTER("int main()", 5);
#line 5 "snippets.spec"
 {
#line 5 "if_return.c"
                 { ez_result_2 ez_result = (
#line 5 "if_return.c"
                        f(0) - 2 + f(1) - 1); 
#line 6 "snippets.spec"
LEAVE(ez_level, 5);
#line 6 "snippets.spec"
#line 6 "snippets.spec"
return ez_result; }
#line 5 "if_return.c"
                                             } 
#line 5 "if_return.c"
                                             }
