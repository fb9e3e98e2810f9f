
#line 1 "structs.c"
#include "calls.h"
#line 1 "structs.c"
struct s { const int a; int b; };
static struct s f(int a) { int ez_level;
#line 2 "structs.c"
typedef __typeof__(struct s) ez_result_1 __attribute__((__unused__));
#line 2 "structs.c"
ez_level = ENTER("struct s f(int)", 2); {
#line 2 "structs.c"
                           { ez_result_1 ez_result = (
#line 2 "structs.c"
                                  (struct s){ a, a * 2 }); LEAVE(ez_level, 2);
#line 2 "structs.c"
return ez_result; }
#line 2 "structs.c"
                                                          } 
#line 2 "structs.c"
                                                          }
static union { int i; float f; } u;
int main(void) { int ez_level;
#line 4 "structs.c"
typedef __typeof__(int) ez_result_2 __attribute__((__unused__));
#line 4 "structs.c"
START();
#line 4 "structs.c"
ez_level = ENTER("int main()", 4); {
#line 4 "structs.c"
                 u.i = f(4).b; { ez_result_2 ez_result = (
#line 4 "structs.c"
                                      u.i - 8); LEAVE(ez_level, 4);
#line 4 "structs.c"
return ez_result; }
#line 4 "structs.c"
                                               } 
#line 4 "structs.c"
                                               }
