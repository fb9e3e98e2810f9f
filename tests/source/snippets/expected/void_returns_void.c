
#line 1 "void_returns_void.c"
#include "calls.h"
#line 1 "void_returns_void.c"
static int n;
static void g(void) { int ez_level;
#line 2 "void_returns_void.c"
ez_level = ENTER("void g()", 2); {
#line 2 "void_returns_void.c"
                      n++; } LEAVE(ez_level, 2);
#line 2 "void_returns_void.c"

#line 2 "void_returns_void.c"
                           }
static void f(void) { int ez_level;
#line 3 "void_returns_void.c"
ez_level = ENTER("void f()", 3); {
#line 3 "void_returns_void.c"
                      { 
#line 3 "void_returns_void.c"
                             g(); LEAVE(ez_level, 3);
#line 3 "void_returns_void.c"
return; }
#line 3 "void_returns_void.c"
                                  } 
#line 3 "void_returns_void.c"
                                  }
int main(void) { int ez_level;
#line 4 "void_returns_void.c"
typedef __typeof__(int) ez_result_3 __attribute__((__unused__));
#line 4 "void_returns_void.c"
START();
#line 4 "void_returns_void.c"
ez_level = ENTER("int main()", 4); {
#line 4 "void_returns_void.c"
                 f(); { ez_result_3 ez_result = (
#line 4 "void_returns_void.c"
                             n - 1); LEAVE(ez_level, 4);
#line 4 "void_returns_void.c"
return ez_result; }
#line 4 "void_returns_void.c"
                                    } 
#line 4 "void_returns_void.c"
                                    }
