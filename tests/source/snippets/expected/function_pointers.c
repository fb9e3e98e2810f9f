#line 2 "snippets.spec"
#include "calls.h"
#line 1 "function_pointers.c"
static int one(void) { 
#line 3 "snippets.spec"
int ez_level;
#line 3 "snippets.spec"
#line 3 "snippets.spec"
typedef __typeof__(int) ez_result_1 __attribute__((__unused__));
#line 5 "snippets.spec"
ez_level = ENTER("int one()", 1);
#line 5 "snippets.spec"
 {
#line 1 "function_pointers.c"
                       { ez_result_1 ez_result = (
#line 1 "function_pointers.c"
                              1); 
#line 6 "snippets.spec"
LEAVE(ez_level, 1);
#line 6 "snippets.spec"
#line 6 "snippets.spec"
return ez_result; }
#line 1 "function_pointers.c"
                                 } 
#line 1 "function_pointers.c"
                                 }
static int (*f(int k))(void) { 
#line 3 "snippets.spec"
int ez_level;
#line 3 "snippets.spec"
#line 3 "snippets.spec"
typedef __typeof__(int (*)(void)) ez_result_2 __attribute__((__unused__));
#line 5 "snippets.spec"
ez_level = ENTER("int (*)(void) f(int)", 2);
#line 5 "snippets.spec"
 {
#line 2 "function_pointers.c"
                               if (k) { ez_result_2 ez_result = (
#line 2 "function_pointers.c"
                                             one); 
#line 6 "snippets.spec"
LEAVE(ez_level, 2);
#line 6 "snippets.spec"
#line 6 "snippets.spec"
return ez_result; }
#line 2 "function_pointers.c"
                                                  else { ez_result_2 ez_result = (
#line 2 "function_pointers.c"
                                                              0); 
#line 6 "snippets.spec"
LEAVE(ez_level, 2);
#line 6 "snippets.spec"
#line 6 "snippets.spec"
return ez_result; }
#line 2 "function_pointers.c"
                                                                 } 
#line 6 "snippets.spec"
LEAVE(ez_level, 2);
#line 6 "snippets.spec"
#line 2 "function_pointers.c"
                                                                 }
typedef int (*row)[3];
static int m[2][3] = { { 0 }, { 0, 5 } };
static row g(int i) { 
#line 3 "snippets.spec"
int ez_level;
#line 3 "snippets.spec"
#line 3 "snippets.spec"
typedef __typeof__(row) ez_result_3 __attribute__((__unused__));
#line 5 "snippets.spec"
ez_level = ENTER("row g(int)", 5);
#line 5 "snippets.spec"
 {
#line 5 "function_pointers.c"
                      { ez_result_3 ez_result = (
#line 5 "function_pointers.c"
                             &m[i]); 
#line 6 "snippets.spec"
LEAVE(ez_level, 5);
#line 6 "snippets.spec"
#line 6 "snippets.spec"
return ez_result; }
#line 5 "function_pointers.c"
                                    } 
#line 5 "function_pointers.c"
                                    }
int main(void) { 
#line 3 "snippets.spec"
int ez_level;
#line 3 "snippets.spec"
#line 3 "snippets.spec"
typedef __typeof__(int) ez_result_4 __attribute__((__unused__));
#line 4 "snippets.spec"
START();
#line 4 "snippets.spec"
#line 5 "snippets.spec"
ez_level = ENTER("int main()", 6);
#line 5 "snippets.spec"
 {
#line 6 "function_pointers.c"
                 { ez_result_4 ez_result = (
#line 6 "function_pointers.c"
                        f(1)() - 1 + (f(0) != 0) + (*g(1))[1] - 5); 
#line 6 "snippets.spec"
LEAVE(ez_level, 6);
#line 6 "snippets.spec"
#line 6 "snippets.spec"
return ez_result; }
#line 6 "function_pointers.c"
                                                                   } 
#line 6 "function_pointers.c"
                                                                   }
