#line 2 "snippets.spec"
#include "calls.h"
#line 1 "macro_body.c"
#define DEFINE(name, n) static int name(void) { return n; }
static int one(void) { 
#line 3 "snippets.spec"
int ez_level;
#line 3 "snippets.spec"
#line 3 "snippets.spec"
typedef __typeof__(int) ez_result_1 __attribute__((__unused__));
#line 5 "snippets.spec"
ez_level = ENTER("int one()", 2);
#line 5 "snippets.spec"
 {
#line 2 "macro_body.c"
                       { ez_result_1 ez_result = (
#line 2 "macro_body.c"
                              1); 
#line 6 "snippets.spec"
LEAVE(ez_level, 2);
#line 6 "snippets.spec"
#line 6 "snippets.spec"
return ez_result; }
#line 2 "macro_body.c"
                                 } 
#line 2 "macro_body.c"
                                 } 
static int two(void) { 
#line 3 "snippets.spec"
int ez_level;
#line 3 "snippets.spec"
#line 3 "snippets.spec"
typedef __typeof__(int) ez_result_2 __attribute__((__unused__));
#line 5 "snippets.spec"
ez_level = ENTER("int two()", 3);
#line 5 "snippets.spec"
 {
#line 3 "macro_body.c"
                       { ez_result_2 ez_result = (
#line 3 "macro_body.c"
                              2); 
#line 6 "snippets.spec"
LEAVE(ez_level, 3);
#line 6 "snippets.spec"
#line 6 "snippets.spec"
return ez_result; }
#line 3 "macro_body.c"
                                 } 
#line 3 "macro_body.c"
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
ez_level = ENTER("int main()", 5);
#line 5 "snippets.spec"
 {
#line 5 "macro_body.c"
                 { ez_result_3 ez_result = (
#line 5 "macro_body.c"
                        one() + two() - 3); 
#line 6 "snippets.spec"
LEAVE(ez_level, 5);
#line 6 "snippets.spec"
#line 6 "snippets.spec"
return ez_result; }
#line 5 "macro_body.c"
                                           } 
#line 5 "macro_body.c"
                                           }
