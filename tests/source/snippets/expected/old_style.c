#line 2 "snippets.spec"
#include "calls.h"
#line 1 "old_style.c"
static int f(a, b) int a; char *b; { 
#line 3 "snippets.spec"
int ez_level;
#line 3 "snippets.spec"
#line 3 "snippets.spec"
typedef __typeof__(int) ez_result_1 __attribute__((__unused__));
#line 5 "snippets.spec"
ez_level = ENTER("int f(int, char *)", 1);
#line 5 "snippets.spec"
 {
#line 1 "old_style.c"
                                     { ez_result_1 ez_result = (
#line 1 "old_style.c"
                                            a + b[0]); 
#line 6 "snippets.spec"
LEAVE(ez_level, 1);
#line 6 "snippets.spec"
#line 6 "snippets.spec"
return ez_result; }
#line 1 "old_style.c"
                                                      } 
#line 1 "old_style.c"
                                                      }
int main() { 
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
#line 2 "old_style.c"
             { ez_result_2 ez_result = (
#line 2 "old_style.c"
                    f(1, "a") - 'b'); 
#line 6 "snippets.spec"
LEAVE(ez_level, 2);
#line 6 "snippets.spec"
#line 6 "snippets.spec"
return ez_result; }
#line 2 "old_style.c"
                                     } 
#line 2 "old_style.c"
                                     }
