#line 2 "snippets.spec"
#include "calls.h"
#line 1 "nested_loops.c"
static int f(int n)
{ 
#line 3 "snippets.spec"
int ez_level;
#line 3 "snippets.spec"
#line 3 "snippets.spec"
typedef __typeof__(int) ez_result_1 __attribute__((__unused__));
#line 5 "snippets.spec"
ez_level = ENTER("int f(int)", 2);
#line 5 "snippets.spec"
 {
#line 2 "nested_loops.c"
 
    int s = 0;
    { 
#line 8 "snippets.spec"
LOOP(4);
#line 4 "nested_loops.c"
    for (int i = 0; i < n; i++)
        { 
#line 8 "snippets.spec"
LOOP(5);
#line 5 "nested_loops.c"
        for (int j = 0; j < n; j++) {
            if (i * j == 6) { ez_result_1 ez_result = (
#line 6 "nested_loops.c"
                                   s); 
#line 9 "snippets.spec"
DONE(6);
#line 9 "snippets.spec"
#line 9 "snippets.spec"
DONE(6);
#line 9 "snippets.spec"
#line 6 "snippets.spec"
LEAVE(ez_level, 6);
#line 6 "snippets.spec"
#line 6 "snippets.spec"
return ez_result; }
#line 6 "nested_loops.c"
                                     
            if (j == 5) { 
#line 9 "snippets.spec"
DONE(7);
#line 9 "snippets.spec"
#line 9 "snippets.spec"
DONE(7);
#line 7 "nested_loops.c"
                        goto out; }
#line 7 "nested_loops.c"
                                 
            s++;
        }
#line 9 "snippets.spec"
DONE(9);
#line 9 "snippets.spec"
#line 9 "snippets.spec"
}
#line 9 "nested_loops.c"
#line 9 "snippets.spec"
DONE(9);
#line 9 "snippets.spec"
#line 9 "snippets.spec"
}
#line 9 "nested_loops.c"
         
out:
    { 
#line 8 "snippets.spec"
LOOP(11);
#line 11 "nested_loops.c"
    while (n) n--;
#line 9 "snippets.spec"
DONE(11);
#line 9 "snippets.spec"
#line 9 "snippets.spec"
}
#line 11 "nested_loops.c"
                  
    { 
#line 8 "snippets.spec"
LOOP(12);
#line 12 "nested_loops.c"
    do s++; while (0);
#line 9 "snippets.spec"
DONE(12);
#line 9 "snippets.spec"
#line 9 "snippets.spec"
}
#line 12 "nested_loops.c"
                      
    { ez_result_1 ez_result = (
#line 13 "nested_loops.c"
           s); 
#line 6 "snippets.spec"
LEAVE(ez_level, 13);
#line 6 "snippets.spec"
#line 6 "snippets.spec"
return ez_result; }
#line 13 "nested_loops.c"
             
} 
#line 14 "nested_loops.c"
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
ez_level = ENTER("int main()", 15);
#line 5 "snippets.spec"
 {
#line 15 "nested_loops.c"
                 { ez_result_2 ez_result = (
#line 15 "nested_loops.c"
                        f(7) - 6 + f(2) - 5); 
#line 6 "snippets.spec"
LEAVE(ez_level, 15);
#line 6 "snippets.spec"
#line 6 "snippets.spec"
return ez_result; }
#line 15 "nested_loops.c"
                                             } 
#line 15 "nested_loops.c"
                                             }
