#line 2 "snippets.spec"
#include "calls.h"
#line 1 "return_comma.c"
static int f(int x) { 
#line 3 "snippets.spec"
int ez_level;
#line 3 "snippets.spec"
#line 3 "snippets.spec"
typedef __typeof__(int) ez_result_1 __attribute__((__unused__));
#line 5 "snippets.spec"
ez_level = ENTER("int f(int)", 1);
#line 5 "snippets.spec"
 {
#line 1 "return_comma.c"
                      { ez_result_1 ez_result = (
#line 1 "return_comma.c"
                             x++, x); 
#line 6 "snippets.spec"
LEAVE(ez_level, 1);
#line 6 "snippets.spec"
#line 6 "snippets.spec"
return ez_result; }
#line 1 "return_comma.c"
                                     } 
#line 1 "return_comma.c"
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
ez_level = ENTER("int main()", 2);
#line 5 "snippets.spec"
 {
#line 2 "return_comma.c"
                 { ez_result_2 ez_result = (
#line 2 "return_comma.c"
                        f(1) - 2); 
#line 6 "snippets.spec"
LEAVE(ez_level, 2);
#line 6 "snippets.spec"
#line 6 "snippets.spec"
return ez_result; }
#line 2 "return_comma.c"
                                  } 
#line 2 "return_comma.c"
                                  }
