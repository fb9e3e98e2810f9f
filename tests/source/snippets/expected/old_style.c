
#line 1 "old_style.c"
#include "calls.h"
#line 1 "old_style.c"
static int f(a, b) int a; char *b; { int ez_level;
#line 1 "old_style.c"
typedef __typeof__(int) ez_result_1 __attribute__((__unused__));
#line 1 "old_style.c"
ez_level = ENTER("int f(int, char *)", 1); {
#line 1 "old_style.c"
                                     { ez_result_1 ez_result = (
#line 1 "old_style.c"
                                            a + b[0]); LEAVE(ez_level, 1);
#line 1 "old_style.c"
return ez_result; }
#line 1 "old_style.c"
                                                      } 
#line 1 "old_style.c"
                                                      }
int main() { int ez_level;
#line 2 "old_style.c"
typedef __typeof__(int) ez_result_2 __attribute__((__unused__));
#line 2 "old_style.c"
START();
#line 2 "old_style.c"
ez_level = ENTER("int main()", 2); {
#line 2 "old_style.c"
             { ez_result_2 ez_result = (
#line 2 "old_style.c"
                    f(1, "a") - 'b'); LEAVE(ez_level, 2);
#line 2 "old_style.c"
return ez_result; }
#line 2 "old_style.c"
                                     } 
#line 2 "old_style.c"
                                     }
