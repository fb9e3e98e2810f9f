#line 2 "snippets.spec"
#include "calls.h"
#line 1 "shadowed_type.c"
typedef int T;
static T f(int x) { 
#line 3 "snippets.spec"
int ez_level;
#line 3 "snippets.spec"
#line 3 "snippets.spec"
typedef __typeof__(T) ez_result_1 __attribute__((__unused__));
#line 5 "snippets.spec"
ez_level = ENTER("T f(int)", 2);
#line 5 "snippets.spec"
 {
#line 2 "shadowed_type.c"
                    int T = x + 1; { ez_result_1 ez_result = (
#line 2 "shadowed_type.c"
                                          T); 
#line 6 "snippets.spec"
LEAVE(ez_level, 2);
#line 6 "snippets.spec"
#line 6 "snippets.spec"
return ez_result; }
#line 2 "shadowed_type.c"
                                             } 
#line 2 "shadowed_type.c"
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
#line 3 "shadowed_type.c"
                 { ez_result_2 ez_result = (
#line 3 "shadowed_type.c"
                        f(2) - 3); 
#line 6 "snippets.spec"
LEAVE(ez_level, 3);
#line 6 "snippets.spec"
#line 6 "snippets.spec"
return ez_result; }
#line 3 "shadowed_type.c"
                                  } 
#line 3 "shadowed_type.c"
                                  }
