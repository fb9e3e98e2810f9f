#line 2 "snippets.spec"
#include "calls.h"
#line 1 "old_loops.cc"
static int t(int i)
{ 
#line 3 "snippets.spec"
int ez_level;
#line 3 "snippets.spec"
#line 3 "snippets.spec"
typedef __typeof__(int) ez_result_1 __attribute__((__unused__));
#line 5 "snippets.spec"
ez_level = ENTER("int t(int)", 2);
#line 5 "snippets.spec"
#line 5 "snippets.spec"
int ez_done_1 = 0; (void)ez_done_1; try {
#line 2 "old_loops.cc"
 
    { 
#line 8 "snippets.spec"
LOOP(3);
#line 8 "snippets.spec"
#line 8 "snippets.spec"
try {
#line 3 "old_loops.cc"
    for (int k = 0; k < 3; k++) {
        if (k == i)
            { 
#line 10 "snippets.spec"
THROWN(5);
#line 10 "snippets.spec"
#line 5 "old_loops.cc"
            throw k; }
#line 5 "old_loops.cc"
                    
        { 
#line 8 "snippets.spec"
LOOP(6);
#line 8 "snippets.spec"
#line 8 "snippets.spec"
try {
#line 6 "old_loops.cc"
        while (k > 1)
            { ez_result_1 ez_result = (
#line 7 "old_loops.cc"
                   k); 
#line 9 "snippets.spec"
DONE(7);
#line 9 "snippets.spec"
#line 9 "snippets.spec"
DONE(7);
#line 9 "snippets.spec"
#line 9 "snippets.spec"
ez_done_1 = 1; 
#line 6 "snippets.spec"
LEAVE(ez_level, 7);
#line 6 "snippets.spec"
#line 6 "snippets.spec"
return ez_result; }
#line 7 "old_loops.cc"
#line 7 "old_loops.cc"
} catch (...) { 
#line 9 "snippets.spec"
DONE(7);
#line 9 "snippets.spec"
#line 9 "snippets.spec"
throw; }
#line 9 "snippets.spec"
DONE(7);
#line 9 "snippets.spec"
#line 9 "snippets.spec"
}
#line 7 "old_loops.cc"
                     
    }
#line 8 "old_loops.cc"
} catch (...) { 
#line 9 "snippets.spec"
DONE(8);
#line 9 "snippets.spec"
#line 9 "snippets.spec"
throw; }
#line 9 "snippets.spec"
DONE(8);
#line 9 "snippets.spec"
#line 9 "snippets.spec"
}
#line 8 "old_loops.cc"
     
    { ez_result_1 ez_result = (
#line 9 "old_loops.cc"
           0); ez_done_1 = 1; 
#line 6 "snippets.spec"
LEAVE(ez_level, 9);
#line 6 "snippets.spec"
#line 6 "snippets.spec"
return ez_result; }
#line 9 "old_loops.cc"
             
} catch (...) { if (!ez_done_1) { 
#line 6 "snippets.spec"
LEAVE(ez_level, 10);
#line 6 "snippets.spec"
#line 6 "snippets.spec"
} throw; } 
#line 10 "old_loops.cc"
}
static int f(int i)
{ 
#line 3 "snippets.spec"
int ez_level;
#line 3 "snippets.spec"
#line 3 "snippets.spec"
typedef __typeof__(int) ez_result_2 __attribute__((__unused__));
#line 5 "snippets.spec"
ez_level = ENTER("int f(int)", 12);
#line 5 "snippets.spec"
#line 5 "snippets.spec"
int ez_done_2 = 0; (void)ez_done_2; try {
#line 12 "old_loops.cc"
 
    int n = 0;
    { 
#line 8 "snippets.spec"
LOOP(14);
#line 8 "snippets.spec"
#line 8 "snippets.spec"
try {
#line 14 "old_loops.cc"
    for (;;) {
        { 
#line 8 "snippets.spec"
LOOP(15);
#line 8 "snippets.spec"
#line 8 "snippets.spec"
try {
#line 15 "old_loops.cc"
        do {
            if (n > 3)
                { 
#line 9 "snippets.spec"
DONE(17);
#line 9 "snippets.spec"
#line 9 "snippets.spec"
DONE(17);
#line 17 "old_loops.cc"
                goto out; }
#line 17 "old_loops.cc"
                         
            n++;
        } while (i-- > 0);
#line 19 "old_loops.cc"
} catch (...) { 
#line 9 "snippets.spec"
DONE(19);
#line 9 "snippets.spec"
#line 9 "snippets.spec"
throw; }
#line 9 "snippets.spec"
DONE(19);
#line 9 "snippets.spec"
#line 9 "snippets.spec"
}
#line 19 "old_loops.cc"
                          
        if (n == 2)
            break;
    }
#line 22 "old_loops.cc"
} catch (...) { 
#line 9 "snippets.spec"
DONE(22);
#line 9 "snippets.spec"
#line 9 "snippets.spec"
throw; }
#line 9 "snippets.spec"
DONE(22);
#line 9 "snippets.spec"
#line 9 "snippets.spec"
}
#line 22 "old_loops.cc"
     
out:
    { ez_result_2 ez_result = (
#line 24 "old_loops.cc"
           n); ez_done_2 = 1; 
#line 6 "snippets.spec"
LEAVE(ez_level, 24);
#line 6 "snippets.spec"
#line 6 "snippets.spec"
return ez_result; }
#line 24 "old_loops.cc"
             
} catch (...) { if (!ez_done_2) { 
#line 6 "snippets.spec"
LEAVE(ez_level, 25);
#line 6 "snippets.spec"
#line 6 "snippets.spec"
} throw; } 
#line 6 "snippets.spec"
LEAVE(ez_level, 25);
#line 6 "snippets.spec"
#line 25 "old_loops.cc"
}
static int value(int i) { 
#line 3 "snippets.spec"
int ez_level;
#line 3 "snippets.spec"
#line 3 "snippets.spec"
typedef __typeof__(int) ez_result_3 __attribute__((__unused__));
#line 5 "snippets.spec"
ez_level = ENTER("int value(int)", 26);
#line 5 "snippets.spec"
#line 5 "snippets.spec"
int ez_done_3 = 0; (void)ez_done_3; try {
#line 26 "old_loops.cc"
                          { ez_result_3 ez_result = (
#line 26 "old_loops.cc"
                                 i ? i : throw (__extension__ ({ 
#line 10 "snippets.spec"
THROWN(26);
#line 10 "snippets.spec"
#line 10 "snippets.spec"
(void)0; }), 
#line 26 "old_loops.cc"
                                               5)
#line 26 "old_loops.cc"
); ez_done_3 = 1; 
#line 6 "snippets.spec"
LEAVE(ez_level, 26);
#line 6 "snippets.spec"
#line 6 "snippets.spec"
return ez_result; }
#line 26 "old_loops.cc"
                                                  } catch (...) { if (!ez_done_3) { 
#line 6 "snippets.spec"
LEAVE(ez_level, 26);
#line 6 "snippets.spec"
#line 6 "snippets.spec"
} throw; } 
#line 26 "old_loops.cc"
                                                  }
int main()
{ 
#line 3 "snippets.spec"
int ez_level;
#line 3 "snippets.spec"
#line 3 "snippets.spec"
typedef __typeof__(int) ez_result_4 __attribute__((__unused__));
#line 4 "snippets.spec"
START();
#line 4 "snippets.spec"
#line 5 "snippets.spec"
ez_level = ENTER("int main()", 28);
#line 5 "snippets.spec"
#line 5 "snippets.spec"
int ez_done_4 = 0; (void)ez_done_4; try {
#line 28 "old_loops.cc"
 
    int n = 0;
    try {
        n = t(1);
    } catch (int k) { 
#line 11 "snippets.spec"
CAUGHT(32);
#line 11 "snippets.spec"
#line 32 "old_loops.cc"
                     
        n = k;
    }
    try {
        n += value(0);
    } catch (...) { 
#line 11 "snippets.spec"
CAUGHT(37);
#line 11 "snippets.spec"
#line 37 "old_loops.cc"
                   
        n++;
    }
    { ez_result_4 ez_result = (
#line 40 "old_loops.cc"
           n + t(7) + f(0) + f(9) - 10); ez_done_4 = 1; 
#line 6 "snippets.spec"
LEAVE(ez_level, 40);
#line 6 "snippets.spec"
#line 6 "snippets.spec"
return ez_result; }
#line 40 "old_loops.cc"
                                       
} catch (...) { if (!ez_done_4) { 
#line 6 "snippets.spec"
LEAVE(ez_level, 41);
#line 6 "snippets.spec"
#line 6 "snippets.spec"
} throw; } 
#line 41 "old_loops.cc"
}
