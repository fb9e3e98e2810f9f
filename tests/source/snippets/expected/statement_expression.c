
#line 1 "statement_expression.c"
#include "calls.h"
#line 1 "statement_expression.c"
static int f(int x) { int ez_level;
#line 1 "statement_expression.c"
typedef __typeof__(int) ez_result_1 __attribute__((__unused__));
#line 1 "statement_expression.c"
ez_level = ENTER("int f(int)", 1); {
#line 1 "statement_expression.c"
                      int y = ({ if (x > 3) { ez_result_1 ez_result = (
#line 1 "statement_expression.c"
                                                   x); LEAVE(ez_level, 1);
#line 1 "statement_expression.c"
return ez_result; }
#line 1 "statement_expression.c"
                                                      x + 1; }); { ez_result_1 ez_result = (
#line 1 "statement_expression.c"
                                                                        y); LEAVE(ez_level, 1);
#line 1 "statement_expression.c"
return ez_result; }
#line 1 "statement_expression.c"
                                                                           } 
#line 1 "statement_expression.c"
                                                                           }
int main(void) { int ez_level;
#line 2 "statement_expression.c"
typedef __typeof__(int) ez_result_2 __attribute__((__unused__));
#line 2 "statement_expression.c"
START();
#line 2 "statement_expression.c"
ez_level = ENTER("int main()", 2); {
#line 2 "statement_expression.c"
                 { ez_result_2 ez_result = (
#line 2 "statement_expression.c"
                        f(7) + f(1) - 9); LEAVE(ez_level, 2);
#line 2 "statement_expression.c"
return ez_result; }
#line 2 "statement_expression.c"
                                         } 
#line 2 "statement_expression.c"
                                         }
