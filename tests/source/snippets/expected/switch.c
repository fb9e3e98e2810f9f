
#line 1 "switch.c"
#include "calls.h"
#line 1 "switch.c"
static int f(int x)
{ int ez_level;
#line 2 "switch.c"
typedef __typeof__(int) ez_result_1 __attribute__((__unused__));
#line 2 "switch.c"
ez_level = ENTER("int f(int)", 2); {
#line 2 "switch.c"
 
    switch (x) {
    case 1: { ez_result_1 ez_result = (
#line 4 "switch.c"
                   10); LEAVE(ez_level, 4);
#line 4 "switch.c"
return ez_result; }
#line 4 "switch.c"
                      
    case 2: { { ez_result_1 ez_result = (
#line 5 "switch.c"
                     20); LEAVE(ez_level, 5);
#line 5 "switch.c"
return ez_result; }
#line 5 "switch.c"
                         }
    default: { ez_result_1 ez_result = (
#line 6 "switch.c"
                    /* a comment; */ x > 5 ? 1 : 2 /* and; one */ ); LEAVE(ez_level, 6);
#line 6 "switch.c"
return ez_result; }
#line 6 "switch.c"
                                                                   
    }
} LEAVE(ez_level, 8);
#line 8 "switch.c"

#line 8 "switch.c"
}
int main(void) { int ez_level;
#line 9 "switch.c"
typedef __typeof__(int) ez_result_2 __attribute__((__unused__));
#line 9 "switch.c"
START();
#line 9 "switch.c"
ez_level = ENTER("int main()", 9); {
#line 9 "switch.c"
                 { ez_result_2 ez_result = (
#line 9 "switch.c"
                        f(1) + f(2) + f(9) + f(3) - 33); LEAVE(ez_level, 9);
#line 9 "switch.c"
return ez_result; }
#line 9 "switch.c"
                                                        } 
#line 9 "switch.c"
                                                        }
