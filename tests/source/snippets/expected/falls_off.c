
#line 1 "falls_off.c"
#include "calls.h"
#line 1 "falls_off.c"
int main(void)
{ int ez_level;
#line 2 "falls_off.c"
typedef __typeof__(int) ez_result_1 __attribute__((__unused__));
#line 2 "falls_off.c"
START();
#line 2 "falls_off.c"
ez_level = ENTER("int main()", 2); {
#line 2 "falls_off.c"
 
    static int x;
    if (x) { ez_result_1 ez_result = (
#line 4 "falls_off.c"
                  3); LEAVE(ez_level, 4);
#line 4 "falls_off.c"
return ez_result; }
#line 4 "falls_off.c"
                    
} LEAVE(ez_level, 5);
#line 5 "falls_off.c"

#line 5 "falls_off.c"
}
