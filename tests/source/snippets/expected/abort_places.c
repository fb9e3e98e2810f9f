
#line 1 "abort_places.c"
#include "calls.h"
#line 1 "abort_places.c"
#include <stdlib.h>
static int f(int x)
{ int ez_level;
#line 3 "abort_places.c"
typedef __typeof__(int) ez_result_1 __attribute__((__unused__));
#line 3 "abort_places.c"
ez_level = ENTER("int f(int)", 3); {
#line 3 "abort_places.c"
 
    if (x > 9) __extension__ ({ STOP(4);
#line 4 "abort_places.c"

#line 4 "abort_places.c"
               exit(1); })
#line 4 "abort_places.c"
                      ;
    else x++;
    x > 100 ? __extension__ ({ STOP(6);
#line 6 "abort_places.c"

#line 6 "abort_places.c"
              exit(1); })
#line 6 "abort_places.c"
                      : (void)0;
    { ez_result_1 ez_result = (
#line 7 "abort_places.c"
           x); LEAVE(ez_level, 7);
#line 7 "abort_places.c"
return ez_result; }
#line 7 "abort_places.c"
             
} 
#line 8 "abort_places.c"
}
int main(void) { int ez_level;
#line 9 "abort_places.c"
typedef __typeof__(int) ez_result_2 __attribute__((__unused__));
#line 9 "abort_places.c"
START();
#line 9 "abort_places.c"
ez_level = ENTER("int main()", 9); {
#line 9 "abort_places.c"
                 f(1); __extension__ ({ STOP(9);
#line 9 "abort_places.c"

#line 9 "abort_places.c"
                       exit(0); })
#line 9 "abort_places.c"
                              ; } LEAVE(ez_level, 9);
#line 9 "abort_places.c"

#line 9 "abort_places.c"
                                }
