
#line 1 "string_with_braces.c"
#include "calls.h"
#line 1 "string_with_braces.c"
static const char *f(void) { int ez_level;
#line 1 "string_with_braces.c"
typedef __typeof__(const char *) ez_result_1 __attribute__((__unused__));
#line 1 "string_with_braces.c"
ez_level = ENTER("const char *f()", 1); {
#line 1 "string_with_braces.c"
                             { ez_result_1 ez_result = (
#line 1 "string_with_braces.c"
                                    "}; return 1; {" /* } */
    "c"); LEAVE(ez_level, 1);
#line 2 "string_with_braces.c"
return ez_result; }
#line 2 "string_with_braces.c"
         } 
#line 2 "string_with_braces.c"
         }
int main(void) { int ez_level;
#line 3 "string_with_braces.c"
typedef __typeof__(int) ez_result_2 __attribute__((__unused__));
#line 3 "string_with_braces.c"
START();
#line 3 "string_with_braces.c"
ez_level = ENTER("int main()", 3); {
#line 3 "string_with_braces.c"
                 { ez_result_2 ez_result = (
#line 3 "string_with_braces.c"
                        f()[0] - '}'); LEAVE(ez_level, 3);
#line 3 "string_with_braces.c"
return ez_result; }
#line 3 "string_with_braces.c"
                                      } 
#line 3 "string_with_braces.c"
                                      }
