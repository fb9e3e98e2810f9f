
#line 1 "function_pointers.c"
#include "calls.h"
#line 1 "function_pointers.c"
static int one(void) { int ez_level;
#line 1 "function_pointers.c"
typedef __typeof__(int) ez_result_1 __attribute__((__unused__));
#line 1 "function_pointers.c"
ez_level = ENTER("int one()", 1); {
#line 1 "function_pointers.c"
                       { ez_result_1 ez_result = (
#line 1 "function_pointers.c"
                              1); LEAVE(ez_level, 1);
#line 1 "function_pointers.c"
return ez_result; }
#line 1 "function_pointers.c"
                                 } 
#line 1 "function_pointers.c"
                                 }
static int (*f(int k))(void) { int ez_level;
#line 2 "function_pointers.c"
typedef __typeof__(int (*)(void)) ez_result_2 __attribute__((__unused__));
#line 2 "function_pointers.c"
ez_level = ENTER("int (*)(void) f(int)", 2); {
#line 2 "function_pointers.c"
                               if (k) { ez_result_2 ez_result = (
#line 2 "function_pointers.c"
                                             one); LEAVE(ez_level, 2);
#line 2 "function_pointers.c"
return ez_result; }
#line 2 "function_pointers.c"
                                                  else { ez_result_2 ez_result = (
#line 2 "function_pointers.c"
                                                              0); LEAVE(ez_level, 2);
#line 2 "function_pointers.c"
return ez_result; }
#line 2 "function_pointers.c"
                                                                 } LEAVE(ez_level, 2);
#line 2 "function_pointers.c"

#line 2 "function_pointers.c"
                                                                 }
typedef int (*row)[3];
static int m[2][3] = { { 0 }, { 0, 5 } };
static row g(int i) { int ez_level;
#line 5 "function_pointers.c"
typedef __typeof__(row) ez_result_3 __attribute__((__unused__));
#line 5 "function_pointers.c"
ez_level = ENTER("row g(int)", 5); {
#line 5 "function_pointers.c"
                      { ez_result_3 ez_result = (
#line 5 "function_pointers.c"
                             &m[i]); LEAVE(ez_level, 5);
#line 5 "function_pointers.c"
return ez_result; }
#line 5 "function_pointers.c"
                                    } 
#line 5 "function_pointers.c"
                                    }
int main(void) { int ez_level;
#line 6 "function_pointers.c"
typedef __typeof__(int) ez_result_4 __attribute__((__unused__));
#line 6 "function_pointers.c"
START();
#line 6 "function_pointers.c"
ez_level = ENTER("int main()", 6); {
#line 6 "function_pointers.c"
                 { ez_result_4 ez_result = (
#line 6 "function_pointers.c"
                        f(1)() - 1 + (f(0) != 0) + (*g(1))[1] - 5); LEAVE(ez_level, 6);
#line 6 "function_pointers.c"
return ez_result; }
#line 6 "function_pointers.c"
                                                                   } 
#line 6 "function_pointers.c"
                                                                   }
