#line 2 "snippets.spec"
#include "calls.h"
#line 1 "string_with_braces.c"
static const char *f(void) { 
#line 3 "snippets.spec"
int ez_level;
#line 3 "snippets.spec"
#line 3 "snippets.spec"
typedef __typeof__(const char *) ez_result_1 __attribute__((__unused__));
#line 5 "snippets.spec"
ez_level = ENTER("const char *f()", 1);
#line 5 "snippets.spec"
 {
#line 1 "string_with_braces.c"
                             { ez_result_1 ez_result = (
#line 1 "string_with_braces.c"
                                    "}; return 1; {" /* } */
    "c"); 
#line 6 "snippets.spec"
LEAVE(ez_level, 1);
#line 6 "snippets.spec"
#line 6 "snippets.spec"
return ez_result; }
#line 2 "string_with_braces.c"
         } 
#line 2 "string_with_braces.c"
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
#line 3 "string_with_braces.c"
                 { ez_result_2 ez_result = (
#line 3 "string_with_braces.c"
                        f()[0] - '}'); 
#line 6 "snippets.spec"
LEAVE(ez_level, 3);
#line 6 "snippets.spec"
#line 6 "snippets.spec"
return ez_result; }
#line 3 "string_with_braces.c"
                                      } 
#line 3 "string_with_braces.c"
                                      }
