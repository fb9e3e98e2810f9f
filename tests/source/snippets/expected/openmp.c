#line 2 "snippets.spec"
#include "calls.h"
#line 1 "openmp.c"
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
#line 2 "openmp.c"
 
    int s = 0;
{ 
#line 8 "snippets.spec"
LOOP(5);
#line 4 "openmp.c"
#pragma omp parallel for reduction(+ : s)
    for (int i = 0; i < n; i++)
        s += i;
#line 9 "snippets.spec"
DONE(6);
#line 9 "snippets.spec"
#line 9 "snippets.spec"
}
#line 6 "openmp.c"
               
#pragma omp parallel
    {
{ 
#line 8 "snippets.spec"
LOOP(11);
#line 9 "openmp.c"
#pragma omp for collapse(2) \
    reduction(+ : s)
        for (int i = 0; i < n; i++)
            for (int j = 0; j < n; j++)
                s++;
#line 9 "snippets.spec"
DONE(13);
#line 9 "snippets.spec"
#line 9 "snippets.spec"
}
#line 13 "openmp.c"
                    
    }
    if (n > 2)
{ 
#line 8 "snippets.spec"
LOOP(17);
#line 16 "openmp.c"
#pragma omp parallel for
        for (int i = 0; i < n; i++)
            ;
#line 9 "snippets.spec"
DONE(18);
#line 9 "snippets.spec"
#line 9 "snippets.spec"
}
#line 18 "openmp.c"
             
    { ez_result_1 ez_result = (
#line 19 "openmp.c"
           s); 
#line 6 "snippets.spec"
LEAVE(ez_level, 19);
#line 6 "snippets.spec"
#line 6 "snippets.spec"
return ez_result; }
#line 19 "openmp.c"
             
} 
#line 20 "openmp.c"
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
ez_level = ENTER("int main()", 21);
#line 5 "snippets.spec"
 {
#line 21 "openmp.c"
                 { ez_result_2 ez_result = (
#line 21 "openmp.c"
                        f(4) - 22); 
#line 6 "snippets.spec"
LEAVE(ez_level, 21);
#line 6 "snippets.spec"
#line 6 "snippets.spec"
return ez_result; }
#line 21 "openmp.c"
                                   } 
#line 21 "openmp.c"
                                   }
