#line 2 "snippets.spec"
#include "calls.h"
#line 1 "falls_off.c"
int main(void)
{ 
#line 3 "snippets.spec"
int ez_level;
#line 3 "snippets.spec"
#line 3 "snippets.spec"
typedef __typeof__(int) ez_result_1 __attribute__((__unused__));
#line 4 "snippets.spec"
START();
#line 4 "snippets.spec"
#line 5 "snippets.spec"
ez_level = ENTER("int main()", 2);
#line 5 "snippets.spec"
 {
#line 2 "falls_off.c"
 
    static int x;
    if (x) { ez_result_1 ez_result = (
#line 4 "falls_off.c"
                  3); 
#line 6 "snippets.spec"
LEAVE(ez_level, 4);
#line 6 "snippets.spec"
#line 6 "snippets.spec"
return ez_result; }
#line 4 "falls_off.c"
                    
} 
#line 6 "snippets.spec"
LEAVE(ez_level, 5);
#line 6 "snippets.spec"
#line 5 "falls_off.c"
}
