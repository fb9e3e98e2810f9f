
#line 1 "openmp.c"
#include "calls.h"
#line 1 "openmp.c"
static int f(int n)
{ int ez_level;
#line 2 "openmp.c"
typedef __typeof__(int) ez_result_1 __attribute__((__unused__));
#line 2 "openmp.c"
ez_level = ENTER("int f(int)", 2); {
#line 2 "openmp.c"
 
    int s = 0;
{ LOOP(5);
#line 4 "openmp.c"
#pragma omp parallel for reduction(+ : s)
    for (int i = 0; i < n; i++)
        s += i;
#line 6 "openmp.c"
DONE(6);
#line 6 "openmp.c"
}
#line 6 "openmp.c"
               
#pragma omp parallel
    {
{ LOOP(11);
#line 9 "openmp.c"
#pragma omp for collapse(2) \
    reduction(+ : s)
        for (int i = 0; i < n; i++)
            for (int j = 0; j < n; j++)
                s++;
#line 13 "openmp.c"
DONE(13);
#line 13 "openmp.c"
}
#line 13 "openmp.c"
                    
    }
    if (n > 2)
{ LOOP(17);
#line 16 "openmp.c"
#pragma omp parallel for
        for (int i = 0; i < n; i++)
            ;
#line 18 "openmp.c"
DONE(18);
#line 18 "openmp.c"
}
#line 18 "openmp.c"
             
    { ez_result_1 ez_result = (
#line 19 "openmp.c"
           s); LEAVE(ez_level, 19);
#line 19 "openmp.c"
return ez_result; }
#line 19 "openmp.c"
             
} 
#line 20 "openmp.c"
}
int main(void) { int ez_level;
#line 21 "openmp.c"
typedef __typeof__(int) ez_result_2 __attribute__((__unused__));
#line 21 "openmp.c"
START();
#line 21 "openmp.c"
ez_level = ENTER("int main()", 21); {
#line 21 "openmp.c"
                 { ez_result_2 ez_result = (
#line 21 "openmp.c"
                        f(4) - 22); LEAVE(ez_level, 21);
#line 21 "openmp.c"
return ez_result; }
#line 21 "openmp.c"
                                   } 
#line 21 "openmp.c"
                                   }
