#line 2 "snippets.spec"
#include "calls.h"
#line 1 "vla.c"
static int f(int n)
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
#line 2 "vla.c"
 
    int a[n];
    a[n - 1] = n;
    if (n > 2) { ez_result_1 ez_result = (
#line 5 "vla.c"
                      a[n - 1]); 
#line 6 "snippets.spec"
LEAVE(ez_level, 5);
#line 6 "snippets.spec"
#line 6 "snippets.spec"
return ez_result; }
#line 5 "vla.c"
                               
    { ez_result_1 ez_result = (
#line 6 "vla.c"
           sizeof a / sizeof *a); 
#line 6 "snippets.spec"
LEAVE(ez_level, 6);
#line 6 "snippets.spec"
#line 6 "snippets.spec"
return ez_result; }
#line 6 "vla.c"
                                
} 
#line 7 "vla.c"
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
ez_level = ENTER("int main()", 8);
#line 5 "snippets.spec"
 {
#line 8 "vla.c"
                 { ez_result_2 ez_result = (
#line 8 "vla.c"
                        f(3) + f(2) - 5); 
#line 6 "snippets.spec"
LEAVE(ez_level, 8);
#line 6 "snippets.spec"
#line 6 "snippets.spec"
return ez_result; }
#line 8 "vla.c"
                                         } 
#line 8 "vla.c"
                                         }
