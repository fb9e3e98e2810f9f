#line 2 "snippets.spec"
#include "calls.h"
#line 1 "noreturn.c"
#include <stdlib.h>
_Noreturn static void die(int x) { 
#line 3 "snippets.spec"
int ez_level;
#line 3 "snippets.spec"
#line 5 "snippets.spec"
ez_level = ENTER("void die(int)", 2);
#line 5 "snippets.spec"
 {
#line 2 "noreturn.c"
                                   __extension__ ({ 
#line 7 "snippets.spec"
STOP(2);
#line 7 "snippets.spec"
#line 2 "noreturn.c"
                                   exit(x); })
#line 2 "noreturn.c"
                                          ; } 
#line 6 "snippets.spec"
LEAVE(ez_level, 2);
#line 6 "snippets.spec"
#line 2 "noreturn.c"
                                            }
static int f(int x) { 
#line 3 "snippets.spec"
int ez_level;
#line 3 "snippets.spec"
#line 3 "snippets.spec"
typedef __typeof__(int) ez_result_2 __attribute__((__unused__));
#line 5 "snippets.spec"
ez_level = ENTER("int f(int)", 3);
#line 5 "snippets.spec"
 {
#line 3 "noreturn.c"
                      if (!x) die(0); { ez_result_2 ez_result = (
#line 3 "noreturn.c"
                                             x); 
#line 6 "snippets.spec"
LEAVE(ez_level, 3);
#line 6 "snippets.spec"
#line 6 "snippets.spec"
return ez_result; }
#line 3 "noreturn.c"
                                                } 
#line 3 "noreturn.c"
                                                }
int main(void) { 
#line 3 "snippets.spec"
int ez_level;
#line 3 "snippets.spec"
#line 3 "snippets.spec"
typedef __typeof__(int) ez_result_3 __attribute__((__unused__));
#line 4 "snippets.spec"
START();
#line 4 "snippets.spec"
#line 5 "snippets.spec"
ez_level = ENTER("int main()", 4);
#line 5 "snippets.spec"
 {
#line 4 "noreturn.c"
                 f(1); f(0); } 
#line 6 "snippets.spec"
LEAVE(ez_level, 4);
#line 6 "snippets.spec"
#line 4 "noreturn.c"
                             }
