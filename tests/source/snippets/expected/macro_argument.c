#line 2 "snippets.spec"
#include "calls.h"
#line 1 "macro_argument.c"
#define DO(x) do { x; } while (0)
static int f(int x) { 
#line 3 "snippets.spec"
int ez_level;
#line 3 "snippets.spec"
#line 3 "snippets.spec"
typedef __typeof__(int) ez_result_1 __attribute__((__unused__));
#line 5 "snippets.spec"
ez_level = ENTER("int f(int)", 2);
#line 5 "snippets.spec"
 {
#line 2 "macro_argument.c"
                      { 
#line 8 "snippets.spec"
LOOP(2);
#line 2 "macro_argument.c"
                      do { if (x) { ez_result_1 ez_result = (
#line 2 "macro_argument.c"
                                         5); 
#line 9 "snippets.spec"
DONE(2);
#line 9 "snippets.spec"
#line 6 "snippets.spec"
LEAVE(ez_level, 2);
#line 6 "snippets.spec"
#line 6 "snippets.spec"
return ez_result; }
#line 2 "macro_argument.c"
                                            } while (0) ;
#line 9 "snippets.spec"
DONE(2);
#line 9 "snippets.spec"
#line 9 "snippets.spec"
}
#line 2 "macro_argument.c"
                                                          { ez_result_1 ez_result = (
#line 2 "macro_argument.c"
                                                                 6); 
#line 6 "snippets.spec"
LEAVE(ez_level, 2);
#line 6 "snippets.spec"
#line 6 "snippets.spec"
return ez_result; }
#line 2 "macro_argument.c"
                                                                    } 
#line 2 "macro_argument.c"
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
ez_level = ENTER("int main()", 3);
#line 5 "snippets.spec"
 {
#line 3 "macro_argument.c"
                 { ez_result_2 ez_result = (
#line 3 "macro_argument.c"
                        f(1) + f(0) - 11); 
#line 6 "snippets.spec"
LEAVE(ez_level, 3);
#line 6 "snippets.spec"
#line 6 "snippets.spec"
return ez_result; }
#line 3 "macro_argument.c"
                                          } 
#line 3 "macro_argument.c"
                                          }
