
#line 1 "macro_body.c"
#include "calls.h"
#line 1 "macro_body.c"
#define DEFINE(name, n) static int name(void) { return n; }
static int one(void) { int ez_level;
#line 2 "macro_body.c"
typedef __typeof__(int) ez_result_1 __attribute__((__unused__));
#line 2 "macro_body.c"
ez_level = ENTER("int one()", 2); {
#line 2 "macro_body.c"
                       { ez_result_1 ez_result = (
#line 2 "macro_body.c"
                              1); LEAVE(ez_level, 2);
#line 2 "macro_body.c"
return ez_result; }
#line 2 "macro_body.c"
                                 } 
#line 2 "macro_body.c"
                                 } 
static int two(void) { int ez_level;
#line 3 "macro_body.c"
typedef __typeof__(int) ez_result_2 __attribute__((__unused__));
#line 3 "macro_body.c"
ez_level = ENTER("int two()", 3); {
#line 3 "macro_body.c"
                       { ez_result_2 ez_result = (
#line 3 "macro_body.c"
                              2); LEAVE(ez_level, 3);
#line 3 "macro_body.c"
return ez_result; }
#line 3 "macro_body.c"
                                 } 
#line 3 "macro_body.c"
                                 } 

int main(void) { int ez_level;
#line 5 "macro_body.c"
typedef __typeof__(int) ez_result_3 __attribute__((__unused__));
#line 5 "macro_body.c"
START();
#line 5 "macro_body.c"
ez_level = ENTER("int main()", 5); {
#line 5 "macro_body.c"
                 { ez_result_3 ez_result = (
#line 5 "macro_body.c"
                        one() + two() - 3); LEAVE(ez_level, 5);
#line 5 "macro_body.c"
return ez_result; }
#line 5 "macro_body.c"
                                           } 
#line 5 "macro_body.c"
                                           }
