#line 2 "snippets.spec"
#include "calls.h"
#line 1 "empty.c"
static void f(void) { 
#line 3 "snippets.spec"
int ez_level;
#line 3 "snippets.spec"
#line 5 "snippets.spec"
ez_level = ENTER("void f()", 1);
#line 5 "snippets.spec"
 {} 
#line 6 "snippets.spec"
LEAVE(ez_level, 1);
#line 6 "snippets.spec"
#line 1 "empty.c"
                     }
static void g(void) { 
#line 3 "snippets.spec"
int ez_level;
#line 3 "snippets.spec"
#line 5 "snippets.spec"
ez_level = ENTER("void g()", 2);
#line 5 "snippets.spec"
 {
#line 2 "empty.c"
                      ; } 
#line 6 "snippets.spec"
LEAVE(ez_level, 2);
#line 6 "snippets.spec"
#line 2 "empty.c"
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
ez_level = ENTER("int main()", 3);
#line 5 "snippets.spec"
 {
#line 3 "empty.c"
                 f(); g(); { ez_result_3 ez_result = (
#line 3 "empty.c"
                                  0); 
#line 6 "snippets.spec"
LEAVE(ez_level, 3);
#line 6 "snippets.spec"
#line 6 "snippets.spec"
return ez_result; }
#line 3 "empty.c"
                                     } 
#line 3 "empty.c"
                                     }
