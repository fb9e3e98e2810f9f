#line 2 "snippets.spec"
#include "calls.h"
#line 1 "no_value.c"
static void f(int x) { 
#line 3 "snippets.spec"
int ez_level;
#line 3 "snippets.spec"
#line 5 "snippets.spec"
ez_level = ENTER("void f(int)", 1);
#line 5 "snippets.spec"
 {
#line 1 "no_value.c"
                       if (x) { 
#line 6 "snippets.spec"
LEAVE(ez_level, 1);
#line 1 "no_value.c"
                              return; }
#line 1 "no_value.c"
                                      else x++; { 
#line 8 "snippets.spec"
LOOP(1);
#line 1 "no_value.c"
                                                for (;;) { 
#line 9 "snippets.spec"
DONE(1);
#line 9 "snippets.spec"
#line 6 "snippets.spec"
LEAVE(ez_level, 1);
#line 1 "no_value.c"
                                                         return; }
#line 1 "no_value.c"
#line 9 "snippets.spec"
DONE(1);
#line 9 "snippets.spec"
#line 9 "snippets.spec"
}
#line 1 "no_value.c"
                                                                 } 
#line 6 "snippets.spec"
LEAVE(ez_level, 1);
#line 6 "snippets.spec"
#line 1 "no_value.c"
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
#line 2 "no_value.c"
                 f(1); f(0); { ez_result_2 ez_result = (
#line 2 "no_value.c"
                                    0); 
#line 6 "snippets.spec"
LEAVE(ez_level, 2);
#line 6 "snippets.spec"
#line 6 "snippets.spec"
return ez_result; }
#line 2 "no_value.c"
                                       } 
#line 2 "no_value.c"
                                       }
