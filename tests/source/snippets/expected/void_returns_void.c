#line 2 "snippets.spec"
#include "calls.h"
#line 1 "void_returns_void.c"
static int n;
static void g(void) { 
#line 3 "snippets.spec"
int ez_level;
#line 3 "snippets.spec"
#line 5 "snippets.spec"
ez_level = ENTER("void g()", 2);
#line 5 "snippets.spec"
 {
#line 2 "void_returns_void.c"
                      n++; } 
#line 6 "snippets.spec"
LEAVE(ez_level, 2);
#line 6 "snippets.spec"
#line 2 "void_returns_void.c"
                           }
static void f(void) { 
#line 3 "snippets.spec"
int ez_level;
#line 3 "snippets.spec"
#line 5 "snippets.spec"
ez_level = ENTER("void f()", 3);
#line 5 "snippets.spec"
 {
#line 3 "void_returns_void.c"
                      { 
#line 3 "void_returns_void.c"
                             g(); 
#line 6 "snippets.spec"
LEAVE(ez_level, 3);
#line 6 "snippets.spec"
#line 6 "snippets.spec"
return; }
#line 3 "void_returns_void.c"
                                  } 
#line 3 "void_returns_void.c"
                                  }
int main(void) { 
#line 3 "snippets.spec"
int ez_level;
#line 3 "snippets.spec"
#line 3 "snippets.spec"
typedef __typeof__(int) ez_result_3 __attribute__((__unused__));
#line 4 "snippets.spec"
START();
#line 4 "snippets.spec"
#line 5 "snippets.spec"
ez_level = ENTER("int main()", 4);
#line 5 "snippets.spec"
 {
#line 4 "void_returns_void.c"
                 f(); { ez_result_3 ez_result = (
#line 4 "void_returns_void.c"
                             n - 1); 
#line 6 "snippets.spec"
LEAVE(ez_level, 4);
#line 6 "snippets.spec"
#line 6 "snippets.spec"
return ez_result; }
#line 4 "void_returns_void.c"
                                    } 
#line 4 "void_returns_void.c"
                                    }
