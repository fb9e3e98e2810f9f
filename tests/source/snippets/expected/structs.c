#line 2 "snippets.spec"
#include "calls.h"
#line 1 "structs.c"
struct s { const int a; int b; };
static struct s f(int a) { 
#line 3 "snippets.spec"
int ez_level;
#line 3 "snippets.spec"
#line 3 "snippets.spec"
typedef __typeof__(struct s) ez_result_1 __attribute__((__unused__));
#line 5 "snippets.spec"
ez_level = ENTER("struct s f(int)", 2);
#line 5 "snippets.spec"
 {
#line 2 "structs.c"
                           { ez_result_1 ez_result = (
#line 2 "structs.c"
                                  (struct s){ a, a * 2 }); 
#line 6 "snippets.spec"
LEAVE(ez_level, 2);
#line 6 "snippets.spec"
#line 6 "snippets.spec"
return ez_result; }
#line 2 "structs.c"
                                                          } 
#line 2 "structs.c"
                                                          }
static union { int i; float f; } u;
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
ez_level = ENTER("int main()", 4);
#line 5 "snippets.spec"
 {
#line 4 "structs.c"
                 u.i = f(4).b; { ez_result_2 ez_result = (
#line 4 "structs.c"
                                      u.i - 8); 
#line 6 "snippets.spec"
LEAVE(ez_level, 4);
#line 6 "snippets.spec"
#line 6 "snippets.spec"
return ez_result; }
#line 4 "structs.c"
                                               } 
#line 4 "structs.c"
                                               }
