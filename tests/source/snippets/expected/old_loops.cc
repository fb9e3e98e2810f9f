
#line 1 "old_loops.cc"
#include "calls.h"
#line 1 "old_loops.cc"
static int t(int i)
{ int ez_level;
#line 2 "old_loops.cc"
typedef __typeof__(int) ez_result_1 __attribute__((__unused__));
#line 2 "old_loops.cc"
ez_level = ENTER("int t(int)", 2);
#line 2 "old_loops.cc"
int ez_done_1 = 0; (void)ez_done_1; try {
#line 2 "old_loops.cc"
 
    { LOOP(3);
#line 3 "old_loops.cc"
try {
#line 3 "old_loops.cc"
    for (int k = 0; k < 3; k++) {
        if (k == i)
            { THROWN(5);
#line 5 "old_loops.cc"

#line 5 "old_loops.cc"
            throw k; }
#line 5 "old_loops.cc"
                    
        { LOOP(6);
#line 6 "old_loops.cc"
try {
#line 6 "old_loops.cc"
        while (k > 1)
            { ez_result_1 ez_result = (
#line 7 "old_loops.cc"
                   k); DONE(7);
#line 7 "old_loops.cc"
DONE(7);
#line 7 "old_loops.cc"
ez_done_1 = 1; LEAVE(ez_level, 7);
#line 7 "old_loops.cc"
return ez_result; }
#line 7 "old_loops.cc"

#line 7 "old_loops.cc"
} catch (...) { DONE(7);
#line 7 "old_loops.cc"
throw; }
#line 7 "old_loops.cc"
DONE(7);
#line 7 "old_loops.cc"
}
#line 7 "old_loops.cc"
                     
    }
#line 8 "old_loops.cc"
} catch (...) { DONE(8);
#line 8 "old_loops.cc"
throw; }
#line 8 "old_loops.cc"
DONE(8);
#line 8 "old_loops.cc"
}
#line 8 "old_loops.cc"
     
    { ez_result_1 ez_result = (
#line 9 "old_loops.cc"
           0); ez_done_1 = 1; LEAVE(ez_level, 9);
#line 9 "old_loops.cc"
return ez_result; }
#line 9 "old_loops.cc"
             
} catch (...) { if (!ez_done_1) { LEAVE(ez_level, 10);
#line 10 "old_loops.cc"
} throw; } 
#line 10 "old_loops.cc"
}
static int f(int i)
{ int ez_level;
#line 12 "old_loops.cc"
typedef __typeof__(int) ez_result_2 __attribute__((__unused__));
#line 12 "old_loops.cc"
ez_level = ENTER("int f(int)", 12);
#line 12 "old_loops.cc"
int ez_done_2 = 0; (void)ez_done_2; try {
#line 12 "old_loops.cc"
 
    int n = 0;
    { LOOP(14);
#line 14 "old_loops.cc"
try {
#line 14 "old_loops.cc"
    for (;;) {
        { LOOP(15);
#line 15 "old_loops.cc"
try {
#line 15 "old_loops.cc"
        do {
            if (n > 3)
                { DONE(17);
#line 17 "old_loops.cc"
DONE(17);
#line 17 "old_loops.cc"
                goto out; }
#line 17 "old_loops.cc"
                         
            n++;
        } while (i-- > 0);
#line 19 "old_loops.cc"
} catch (...) { DONE(19);
#line 19 "old_loops.cc"
throw; }
#line 19 "old_loops.cc"
DONE(19);
#line 19 "old_loops.cc"
}
#line 19 "old_loops.cc"
                          
        if (n == 2)
            break;
    }
#line 22 "old_loops.cc"
} catch (...) { DONE(22);
#line 22 "old_loops.cc"
throw; }
#line 22 "old_loops.cc"
DONE(22);
#line 22 "old_loops.cc"
}
#line 22 "old_loops.cc"
     
out:
    { ez_result_2 ez_result = (
#line 24 "old_loops.cc"
           n); ez_done_2 = 1; LEAVE(ez_level, 24);
#line 24 "old_loops.cc"
return ez_result; }
#line 24 "old_loops.cc"
             
} catch (...) { if (!ez_done_2) { LEAVE(ez_level, 25);
#line 25 "old_loops.cc"
} throw; } LEAVE(ez_level, 25);
#line 25 "old_loops.cc"

#line 25 "old_loops.cc"
}
static int value(int i) { int ez_level;
#line 26 "old_loops.cc"
typedef __typeof__(int) ez_result_3 __attribute__((__unused__));
#line 26 "old_loops.cc"
ez_level = ENTER("int value(int)", 26);
#line 26 "old_loops.cc"
int ez_done_3 = 0; (void)ez_done_3; try {
#line 26 "old_loops.cc"
                          { ez_result_3 ez_result = (
#line 26 "old_loops.cc"
                                 i ? i : throw (__extension__ ({ THROWN(26);
#line 26 "old_loops.cc"
(void)0; }), 
#line 26 "old_loops.cc"
                                               5)
#line 26 "old_loops.cc"
); ez_done_3 = 1; LEAVE(ez_level, 26);
#line 26 "old_loops.cc"
return ez_result; }
#line 26 "old_loops.cc"
                                                  } catch (...) { if (!ez_done_3) { LEAVE(ez_level, 26);
#line 26 "old_loops.cc"
} throw; } 
#line 26 "old_loops.cc"
                                                  }
int main()
{ int ez_level;
#line 28 "old_loops.cc"
typedef __typeof__(int) ez_result_4 __attribute__((__unused__));
#line 28 "old_loops.cc"
START();
#line 28 "old_loops.cc"
ez_level = ENTER("int main()", 28);
#line 28 "old_loops.cc"
int ez_done_4 = 0; (void)ez_done_4; try {
#line 28 "old_loops.cc"
 
    int n = 0;
    try {
        n = t(1);
    } catch (int k) { CAUGHT(32);
#line 32 "old_loops.cc"

#line 32 "old_loops.cc"
                     
        n = k;
    }
    try {
        n += value(0);
    } catch (...) { CAUGHT(37);
#line 37 "old_loops.cc"

#line 37 "old_loops.cc"
                   
        n++;
    }
    { ez_result_4 ez_result = (
#line 40 "old_loops.cc"
           n + t(7) + f(0) + f(9) - 10); ez_done_4 = 1; LEAVE(ez_level, 40);
#line 40 "old_loops.cc"
return ez_result; }
#line 40 "old_loops.cc"
                                       
} catch (...) { if (!ez_done_4) { LEAVE(ez_level, 41);
#line 41 "old_loops.cc"
} throw; } 
#line 41 "old_loops.cc"
}
