#line 2 "snippets.spec"
#include "calls.h"
#line 1 "attributes.c"
__attribute__((noinline, const)) static int f(int x) { 
#line 3 "snippets.spec"
int ez_level;
#line 3 "snippets.spec"
#line 3 "snippets.spec"
typedef __typeof__(int) ez_result_1 __attribute__((__unused__));
#line 5 "snippets.spec"
ez_level = ENTER("int f(int)", 1);
#line 5 "snippets.spec"
 {
#line 1 "attributes.c"
                                                       { ez_result_1 ez_result = (
#line 1 "attributes.c"
                                                              x); 
#line 6 "snippets.spec"
LEAVE(ez_level, 1);
#line 6 "snippets.spec"
#line 6 "snippets.spec"
return ez_result; }
#line 1 "attributes.c"
                                                                 } 
#line 1 "attributes.c"
                                                                 }
static int g(int) __attribute__((always_inline)) ;
static inline int g(int x) { 
#line 3 "snippets.spec"
int ez_level;
#line 3 "snippets.spec"
#line 3 "snippets.spec"
typedef __typeof__(int) ez_result_2 __attribute__((__unused__));
#line 5 "snippets.spec"
ez_level = ENTER("int g(int)", 3);
#line 5 "snippets.spec"
 {
#line 3 "attributes.c"
                             { ez_result_2 ez_result = (
#line 3 "attributes.c"
                                    x + 1); 
#line 6 "snippets.spec"
LEAVE(ez_level, 3);
#line 6 "snippets.spec"
#line 6 "snippets.spec"
return ez_result; }
#line 3 "attributes.c"
                                           } 
#line 3 "attributes.c"
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
#line 4 "attributes.c"
                 { ez_result_3 ez_result = (
#line 4 "attributes.c"
                        f(1) + g(1) - 3); 
#line 6 "snippets.spec"
LEAVE(ez_level, 4);
#line 6 "snippets.spec"
#line 6 "snippets.spec"
return ez_result; }
#line 4 "attributes.c"
                                         } 
#line 4 "attributes.c"
                                         }
