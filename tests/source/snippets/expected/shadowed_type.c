
#line 1 "shadowed_type.c"
#include "calls.h"
#line 1 "shadowed_type.c"
typedef int T;
static T f(int x) { int ez_level;
#line 2 "shadowed_type.c"
typedef __typeof__(T) ez_result_1 __attribute__((__unused__));
#line 2 "shadowed_type.c"
ez_level = ENTER("T f(int)", 2); {
#line 2 "shadowed_type.c"
                    int T = x + 1; { ez_result_1 ez_result = (
#line 2 "shadowed_type.c"
                                          T); LEAVE(ez_level, 2);
#line 2 "shadowed_type.c"
return ez_result; }
#line 2 "shadowed_type.c"
                                             } 
#line 2 "shadowed_type.c"
                                             }
int main(void) { int ez_level;
#line 3 "shadowed_type.c"
typedef __typeof__(int) ez_result_2 __attribute__((__unused__));
#line 3 "shadowed_type.c"
START();
#line 3 "shadowed_type.c"
ez_level = ENTER("int main()", 3); {
#line 3 "shadowed_type.c"
                 { ez_result_2 ez_result = (
#line 3 "shadowed_type.c"
                        f(2) - 3); LEAVE(ez_level, 3);
#line 3 "shadowed_type.c"
return ez_result; }
#line 3 "shadowed_type.c"
                                  } 
#line 3 "shadowed_type.c"
                                  }
