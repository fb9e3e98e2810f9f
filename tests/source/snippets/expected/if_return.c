
#line 1 "if_return.c"
#include "calls.h"
#line 1 "if_return.c"
static int f(int x)
{ int ez_level;
#line 2 "if_return.c"
typedef __typeof__(int) ez_result_1 __attribute__((__unused__));
#line 2 "if_return.c"
ez_level = ENTER("int f(int)", 2); {
#line 2 "if_return.c"
 
    if (x) { ez_result_1 ez_result = (
#line 3 "if_return.c"
                  1); LEAVE(ez_level, 3);
#line 3 "if_return.c"
return ez_result; }
#line 3 "if_return.c"
                     else { ez_result_1 ez_result = (
#line 3 "if_return.c"
                                 2); LEAVE(ez_level, 3);
#line 3 "if_return.c"
return ez_result; }
#line 3 "if_return.c"
                                   
} LEAVE(ez_level, 4);
#line 4 "if_return.c"

#line 4 "if_return.c"
}
int main(void) { int ez_level;
#line 5 "if_return.c"
typedef __typeof__(int) ez_result_2 __attribute__((__unused__));
#line 5 "if_return.c"
START();
#line 5 "if_return.c"
ez_level = ENTER("int main()", 5); {
#line 5 "if_return.c"
                 { ez_result_2 ez_result = (
#line 5 "if_return.c"
                        f(0) - 2 + f(1) - 1); LEAVE(ez_level, 5);
#line 5 "if_return.c"
return ez_result; }
#line 5 "if_return.c"
                                             } 
#line 5 "if_return.c"
                                             }
