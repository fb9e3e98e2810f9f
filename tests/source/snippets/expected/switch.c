#line 2 "snippets.spec"
#include "calls.h"
#line 1 "switch.c"
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
#line 2 "switch.c"
 
    switch (x) {
    case 1: { ez_result_1 ez_result = (
#line 4 "switch.c"
                   10); 
#line 6 "snippets.spec"
LEAVE(ez_level, 4);
#line 6 "snippets.spec"
#line 6 "snippets.spec"
return ez_result; }
#line 4 "switch.c"
                      
    case 2: { { ez_result_1 ez_result = (
#line 5 "switch.c"
                     20); 
#line 6 "snippets.spec"
LEAVE(ez_level, 5);
#line 6 "snippets.spec"
#line 6 "snippets.spec"
return ez_result; }
#line 5 "switch.c"
                         }
    default: { ez_result_1 ez_result = (
#line 6 "switch.c"
                    /* a comment; */ x > 5 ? 1 : 2 /* and; one */ ); 
#line 6 "snippets.spec"
LEAVE(ez_level, 6);
#line 6 "snippets.spec"
#line 6 "snippets.spec"
return ez_result; }
#line 6 "switch.c"
                                                                   
    }
} 
#line 6 "snippets.spec"
LEAVE(ez_level, 8);
#line 6 "snippets.spec"
#line 8 "switch.c"
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
ez_level = ENTER("int main()", 9);
#line 5 "snippets.spec"
 {
#line 9 "switch.c"
                 { ez_result_2 ez_result = (
#line 9 "switch.c"
                        f(1) + f(2) + f(9) + f(3) - 33); 
#line 6 "snippets.spec"
LEAVE(ez_level, 9);
#line 6 "snippets.spec"
#line 6 "snippets.spec"
return ez_result; }
#line 9 "switch.c"
                                                        } 
#line 9 "switch.c"
                                                        }
