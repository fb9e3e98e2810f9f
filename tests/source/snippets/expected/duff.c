#line 2 "snippets.spec"
#include "calls.h"
#line 1 "duff.c"
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
#line 2 "duff.c"
 
    int s = 0;
    switch (n % 2) {
    case 0: do { s++;
    case 1:      s++;
            } while (--n > 0);
    }
    { ez_result_1 ez_result = (
#line 9 "duff.c"
           s); 
#line 6 "snippets.spec"
LEAVE(ez_level, 9);
#line 6 "snippets.spec"
#line 6 "snippets.spec"
return ez_result; }
#line 9 "duff.c"
             
} 
#line 10 "duff.c"
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
ez_level = ENTER("int main()", 11);
#line 5 "snippets.spec"
 {
#line 11 "duff.c"
                 { ez_result_2 ez_result = (
#line 11 "duff.c"
                        f(1) - 1); 
#line 6 "snippets.spec"
LEAVE(ez_level, 11);
#line 6 "snippets.spec"
#line 6 "snippets.spec"
return ez_result; }
#line 11 "duff.c"
                                  } 
#line 11 "duff.c"
                                  }
