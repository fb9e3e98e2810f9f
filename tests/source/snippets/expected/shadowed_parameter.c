
#line 1 "shadowed_parameter.c"
#include "calls.h"
#line 1 "shadowed_parameter.c"
static int f(int x) { int ez_level;
#line 1 "shadowed_parameter.c"
typedef __typeof__(int) ez_result_1 __attribute__((__unused__));
#line 1 "shadowed_parameter.c"
ez_level = ENTER("int f(int)", 1); {
#line 1 "shadowed_parameter.c"
                      { int f = 4; x += f; } { ez_result_1 ez_result = (
#line 1 "shadowed_parameter.c"
                                                    x); LEAVE(ez_level, 1);
#line 1 "shadowed_parameter.c"
return ez_result; }
#line 1 "shadowed_parameter.c"
                                                       } 
#line 1 "shadowed_parameter.c"
                                                       }
int main(void) { int ez_level;
#line 2 "shadowed_parameter.c"
typedef __typeof__(int) ez_result_2 __attribute__((__unused__));
#line 2 "shadowed_parameter.c"
START();
#line 2 "shadowed_parameter.c"
ez_level = ENTER("int main()", 2); {
#line 2 "shadowed_parameter.c"
                 { ez_result_2 ez_result = (
#line 2 "shadowed_parameter.c"
                        f(2) - 6); LEAVE(ez_level, 2);
#line 2 "shadowed_parameter.c"
return ez_result; }
#line 2 "shadowed_parameter.c"
                                  } 
#line 2 "shadowed_parameter.c"
                                  }
