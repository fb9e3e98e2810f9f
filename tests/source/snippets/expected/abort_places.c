#line 2 "snippets.spec"
#include "calls.h"
#line 1 "abort_places.c"
#include <stdlib.h>
static int f(int x)
{ 
#line 3 "snippets.spec"
int ez_level;
#line 3 "snippets.spec"
#line 3 "snippets.spec"
typedef __typeof__(int) ez_result_1 __attribute__((__unused__));
#line 5 "snippets.spec"
ez_level = ENTER("int f(int)", 3);
#line 5 "snippets.spec"
 {
#line 3 "abort_places.c"
 
    if (x > 9) __extension__ ({ 
#line 7 "snippets.spec"
STOP(4);
#line 7 "snippets.spec"
#line 4 "abort_places.c"
               exit(1); })
#line 4 "abort_places.c"
                      ;
    else x++;
    x > 100 ? __extension__ ({ 
#line 7 "snippets.spec"
STOP(6);
#line 7 "snippets.spec"
#line 6 "abort_places.c"
              exit(1); })
#line 6 "abort_places.c"
                      : (void)0;
    { ez_result_1 ez_result = (
#line 7 "abort_places.c"
           x); 
#line 6 "snippets.spec"
LEAVE(ez_level, 7);
#line 6 "snippets.spec"
#line 6 "snippets.spec"
return ez_result; }
#line 7 "abort_places.c"
             
} 
#line 8 "abort_places.c"
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
#line 9 "abort_places.c"
                 f(1); __extension__ ({ 
#line 7 "snippets.spec"
STOP(9);
#line 7 "snippets.spec"
#line 9 "abort_places.c"
                       exit(0); })
#line 9 "abort_places.c"
                              ; } 
#line 6 "snippets.spec"
LEAVE(ez_level, 9);
#line 6 "snippets.spec"
#line 9 "abort_places.c"
                                }
