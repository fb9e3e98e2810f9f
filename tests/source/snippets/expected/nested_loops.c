
#line 1 "nested_loops.c"
#include "calls.h"
#line 1 "nested_loops.c"
static int f(int n)
{ int ez_level;
#line 2 "nested_loops.c"
typedef __typeof__(int) ez_result_1 __attribute__((__unused__));
#line 2 "nested_loops.c"
ez_level = ENTER("int f(int)", 2); {
#line 2 "nested_loops.c"
 
    int s = 0;
    { LOOP(4);
#line 4 "nested_loops.c"
    for (int i = 0; i < n; i++)
        { LOOP(5);
#line 5 "nested_loops.c"
        for (int j = 0; j < n; j++) {
            if (i * j == 6) { ez_result_1 ez_result = (
#line 6 "nested_loops.c"
                                   s); DONE(6);
#line 6 "nested_loops.c"
DONE(6);
#line 6 "nested_loops.c"
LEAVE(ez_level, 6);
#line 6 "nested_loops.c"
return ez_result; }
#line 6 "nested_loops.c"
                                     
            if (j == 5) { DONE(7);
#line 7 "nested_loops.c"
DONE(7);
#line 7 "nested_loops.c"
                        goto out; }
#line 7 "nested_loops.c"
                                 
            s++;
        }
#line 9 "nested_loops.c"
DONE(9);
#line 9 "nested_loops.c"
}
#line 9 "nested_loops.c"

#line 9 "nested_loops.c"
DONE(9);
#line 9 "nested_loops.c"
}
#line 9 "nested_loops.c"
         
out:
    { LOOP(11);
#line 11 "nested_loops.c"
    while (n) n--;
#line 11 "nested_loops.c"
DONE(11);
#line 11 "nested_loops.c"
}
#line 11 "nested_loops.c"
                  
    { LOOP(12);
#line 12 "nested_loops.c"
    do s++; while (0);
#line 12 "nested_loops.c"
DONE(12);
#line 12 "nested_loops.c"
}
#line 12 "nested_loops.c"
                      
    { ez_result_1 ez_result = (
#line 13 "nested_loops.c"
           s); LEAVE(ez_level, 13);
#line 13 "nested_loops.c"
return ez_result; }
#line 13 "nested_loops.c"
             
} 
#line 14 "nested_loops.c"
}
int main(void) { int ez_level;
#line 15 "nested_loops.c"
typedef __typeof__(int) ez_result_2 __attribute__((__unused__));
#line 15 "nested_loops.c"
START();
#line 15 "nested_loops.c"
ez_level = ENTER("int main()", 15); {
#line 15 "nested_loops.c"
                 { ez_result_2 ez_result = (
#line 15 "nested_loops.c"
                        f(7) - 6 + f(2) - 5); LEAVE(ez_level, 15);
#line 15 "nested_loops.c"
return ez_result; }
#line 15 "nested_loops.c"
                                             } 
#line 15 "nested_loops.c"
                                             }
