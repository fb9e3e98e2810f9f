
#line 1 "duff.c"
#include "calls.h"
#line 1 "duff.c"
static int f(int n)
{ int ez_level;
#line 2 "duff.c"
typedef __typeof__(int) ez_result_1 __attribute__((__unused__));
#line 2 "duff.c"
ez_level = ENTER("int f(int)", 2); {
#line 2 "duff.c"
 
    int s = 0;
    switch (n % 2) {
    case 0: do { s++;
    case 1:      s++;
            } while (--n > 0);
    }
    { ez_result_1 ez_result = (
#line 9 "duff.c"
           s); LEAVE(ez_level, 9);
#line 9 "duff.c"
return ez_result; }
#line 9 "duff.c"
             
} 
#line 10 "duff.c"
}
int main(void) { int ez_level;
#line 11 "duff.c"
typedef __typeof__(int) ez_result_2 __attribute__((__unused__));
#line 11 "duff.c"
START();
#line 11 "duff.c"
ez_level = ENTER("int main()", 11); {
#line 11 "duff.c"
                 { ez_result_2 ez_result = (
#line 11 "duff.c"
                        f(1) - 1); LEAVE(ez_level, 11);
#line 11 "duff.c"
return ez_result; }
#line 11 "duff.c"
                                  } 
#line 11 "duff.c"
                                  }
