#line 2 "snippets.spec"
#include "calls.h"
#line 1 "macro_return.c"
#define RET(x) return (x)
#define CHECK(p) do { if (!(p)) return -1; } while (0)
static int f(int x)
{ 
#line 3 "snippets.spec"
int ez_level;
#line 3 "snippets.spec"
#line 3 "snippets.spec"
typedef __typeof__(int) ez_result_1 __attribute__((__unused__));
#line 5 "snippets.spec"
ez_level = ENTER("int f(int)", 4);
#line 5 "snippets.spec"
 {
#line 4 "macro_return.c"
 
    { 
#line 8 "snippets.spec"
LOOP(5);
#line 5 "macro_return.c"
    do { if (!(x > 0 && x < 10)) { ez_result_1 ez_result = (
#line 5 "macro_return.c"
                                        -1); 
#line 9 "snippets.spec"
DONE(5);
#line 9 "snippets.spec"
#line 6 "snippets.spec"
LEAVE(ez_level, 5);
#line 6 "snippets.spec"
#line 6 "snippets.spec"
return ez_result; }
#line 5 "macro_return.c"
                                            } while (0) 
;
#line 9 "snippets.spec"
DONE(5);
#line 9 "snippets.spec"
#line 9 "snippets.spec"
}
#line 6 "macro_return.c"
 
    { ez_result_1 ez_result = (
#line 7 "macro_return.c"
           (x * 2) ); 
#line 6 "snippets.spec"
LEAVE(ez_level, 7);
#line 6 "snippets.spec"
#line 6 "snippets.spec"
return ez_result; }
#line 7 "macro_return.c"
                    
} 
#line 8 "macro_return.c"
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
ez_level = ENTER("int main()", 9);
#line 5 "snippets.spec"
 {
#line 9 "macro_return.c"
                 { ez_result_2 ez_result = (
#line 9 "macro_return.c"
                        f(3) - 6 + f(-1) + 1 + (__LINE__ != 9)); 
#line 6 "snippets.spec"
LEAVE(ez_level, 9);
#line 6 "snippets.spec"
#line 6 "snippets.spec"
return ez_result; }
#line 9 "macro_return.c"
                                                                } 
#line 9 "macro_return.c"
                                                                }
