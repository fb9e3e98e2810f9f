
#line 1 "macro_return.c"
#include "calls.h"
#line 1 "macro_return.c"
#define RET(x) return (x)
#define CHECK(p) do { if (!(p)) return -1; } while (0)
static int f(int x)
{ int ez_level;
#line 4 "macro_return.c"
typedef __typeof__(int) ez_result_1 __attribute__((__unused__));
#line 4 "macro_return.c"
ez_level = ENTER("int f(int)", 4); {
#line 4 "macro_return.c"
 
    { LOOP(5);
#line 5 "macro_return.c"
    do { if (!(x > 0 && x < 10)) { ez_result_1 ez_result = (
#line 5 "macro_return.c"
                                        -1); DONE(5);
#line 5 "macro_return.c"
LEAVE(ez_level, 5);
#line 5 "macro_return.c"
return ez_result; }
#line 5 "macro_return.c"
                                            } while (0) 
;
#line 6 "macro_return.c"
DONE(5);
#line 6 "macro_return.c"
}
#line 6 "macro_return.c"
 
    { ez_result_1 ez_result = (
#line 7 "macro_return.c"
           (x * 2) ); LEAVE(ez_level, 7);
#line 7 "macro_return.c"
return ez_result; }
#line 7 "macro_return.c"
                    
} 
#line 8 "macro_return.c"
}
int main(void) { int ez_level;
#line 9 "macro_return.c"
typedef __typeof__(int) ez_result_2 __attribute__((__unused__));
#line 9 "macro_return.c"
START();
#line 9 "macro_return.c"
ez_level = ENTER("int main()", 9); {
#line 9 "macro_return.c"
                 { ez_result_2 ez_result = (
#line 9 "macro_return.c"
                        f(3) - 6 + f(-1) + 1 + (__LINE__ != 9)); LEAVE(ez_level, 9);
#line 9 "macro_return.c"
return ez_result; }
#line 9 "macro_return.c"
                                                                } 
#line 9 "macro_return.c"
                                                                }
