#line 2 "snippets.spec"
#include "calls.h"
#line 1 "old_returns.cc"
#include <memory>
#include <stdexcept>
#include <string>
struct B {
    int n;
    B(int i) : n(i) { 
#line 3 "snippets.spec"
int ez_level;
#line 3 "snippets.spec"
#line 5 "snippets.spec"
ez_level = ENTER("B::B(int)", 6);
#line 5 "snippets.spec"
#line 5 "snippets.spec"
int ez_done_1 = 0; (void)ez_done_1; try {} catch (...) { if (!ez_done_1) { 
#line 6 "snippets.spec"
LEAVE(ez_level, 6);
#line 6 "snippets.spec"
#line 6 "snippets.spec"
} throw; } 
#line 6 "snippets.spec"
LEAVE(ez_level, 6);
#line 6 "snippets.spec"
#line 6 "old_returns.cc"
                     }
    ~B() { 
#line 3 "snippets.spec"
int ez_level;
#line 3 "snippets.spec"
#line 5 "snippets.spec"
ez_level = ENTER("B::~B()", 7);
#line 5 "snippets.spec"
#line 5 "snippets.spec"
int ez_done_2 = 0; (void)ez_done_2; {
#line 7 "old_returns.cc"
           n = 0; } 
#line 6 "snippets.spec"
LEAVE(ez_level, 7);
#line 6 "snippets.spec"
#line 7 "old_returns.cc"
                  }
    int get() const { 
#line 3 "snippets.spec"
int ez_level;
#line 3 "snippets.spec"
#line 3 "snippets.spec"
typedef __typeof__(int) ez_result_3 __attribute__((__unused__));
#line 5 "snippets.spec"
ez_level = ENTER("int B::get() const", 8);
#line 5 "snippets.spec"
#line 5 "snippets.spec"
int ez_done_3 = 0; (void)ez_done_3; try {
#line 8 "old_returns.cc"
                      { ez_result_3 ez_result = (
#line 8 "old_returns.cc"
                             n); ez_done_3 = 1; 
#line 6 "snippets.spec"
LEAVE(ez_level, 8);
#line 6 "snippets.spec"
#line 6 "snippets.spec"
return ez_result; }
#line 8 "old_returns.cc"
                                } catch (...) { if (!ez_done_3) { 
#line 6 "snippets.spec"
LEAVE(ez_level, 8);
#line 6 "snippets.spec"
#line 6 "snippets.spec"
} throw; } 
#line 8 "old_returns.cc"
                                }
    operator bool() const { 
#line 3 "snippets.spec"
int ez_level;
#line 3 "snippets.spec"
#line 3 "snippets.spec"
typedef __typeof__(bool) ez_result_4 __attribute__((__unused__));
#line 5 "snippets.spec"
ez_level = ENTER("B::operator bool() const", 9);
#line 5 "snippets.spec"
#line 5 "snippets.spec"
int ez_done_4 = 0; (void)ez_done_4; try {
#line 9 "old_returns.cc"
                            { ez_result_4 ez_result = (
#line 9 "old_returns.cc"
                                   n != 0); ez_done_4 = 1; 
#line 6 "snippets.spec"
LEAVE(ez_level, 9);
#line 6 "snippets.spec"
#line 6 "snippets.spec"
return ez_result; }
#line 9 "old_returns.cc"
                                           } catch (...) { if (!ez_done_4) { 
#line 6 "snippets.spec"
LEAVE(ez_level, 9);
#line 6 "snippets.spec"
#line 6 "snippets.spec"
} throw; } 
#line 9 "old_returns.cc"
                                           }
};
static std::string s(int i)
{ 
#line 3 "snippets.spec"
int ez_level;
#line 3 "snippets.spec"
#line 3 "snippets.spec"
typedef __typeof__(std::string) ez_result_5 __attribute__((__unused__));
#line 5 "snippets.spec"
ez_level = ENTER("std::string s(int)", 12);
#line 5 "snippets.spec"
#line 5 "snippets.spec"
int ez_done_5 = 0; (void)ez_done_5; try {
#line 12 "old_returns.cc"
 
    std::string r("a");
    if (i)
        { ez_result_5 ez_result = (
#line 15 "old_returns.cc"
               r + "b"); ez_done_5 = 1; 
#line 6 "snippets.spec"
LEAVE(ez_level, 15);
#line 6 "snippets.spec"
#line 6 "snippets.spec"
return ez_result; }
#line 15 "old_returns.cc"
                       
    { ez_result_5 ez_result = (
#line 16 "old_returns.cc"
           r); ez_done_5 = 1; 
#line 6 "snippets.spec"
LEAVE(ez_level, 16);
#line 6 "snippets.spec"
#line 6 "snippets.spec"
return ez_result; }
#line 16 "old_returns.cc"
             
} catch (...) { if (!ez_done_5) { 
#line 6 "snippets.spec"
LEAVE(ez_level, 17);
#line 6 "snippets.spec"
#line 6 "snippets.spec"
} throw; } 
#line 17 "old_returns.cc"
}
static std::auto_ptr<B> ap(int i)
{ 
#line 3 "snippets.spec"
int ez_level;
#line 3 "snippets.spec"
#line 3 "snippets.spec"
typedef __typeof__(std::auto_ptr<B>) ez_result_6 __attribute__((__unused__));
#line 5 "snippets.spec"
ez_level = ENTER("std::auto_ptr<B> ap(int)", 19);
#line 5 "snippets.spec"
#line 5 "snippets.spec"
int ez_done_6 = 0; (void)ez_done_6; try {
#line 19 "old_returns.cc"
 
    std::auto_ptr<B> p(new B(i));
    { ez_result_6 ez_result = (
#line 21 "old_returns.cc"
           p); ez_done_6 = 1; 
#line 6 "snippets.spec"
LEAVE(ez_level, 21);
#line 6 "snippets.spec"
#line 6 "snippets.spec"
return ez_result; }
#line 21 "old_returns.cc"
             
} catch (...) { if (!ez_done_6) { 
#line 6 "snippets.spec"
LEAVE(ez_level, 22);
#line 6 "snippets.spec"
#line 6 "snippets.spec"
} throw; } 
#line 22 "old_returns.cc"
}
static int t(int i)
{ 
#line 3 "snippets.spec"
int ez_level;
#line 3 "snippets.spec"
#line 3 "snippets.spec"
typedef __typeof__(int) ez_result_7 __attribute__((__unused__));
#line 5 "snippets.spec"
ez_level = ENTER("int t(int)", 24);
#line 5 "snippets.spec"
#line 5 "snippets.spec"
int ez_done_7 = 0; (void)ez_done_7; try {
#line 24 "old_returns.cc"
 
    if (i)
        throw (__extension__ ({ 
#line 10 "snippets.spec"
THROWN(26);
#line 10 "snippets.spec"
#line 10 "snippets.spec"
(void)0; }), 
#line 26 "old_returns.cc"
              std::runtime_error("x"))
#line 26 "old_returns.cc"
                                     ;
    { ez_result_7 ez_result = (
#line 27 "old_returns.cc"
           1); ez_done_7 = 1; 
#line 6 "snippets.spec"
LEAVE(ez_level, 27);
#line 6 "snippets.spec"
#line 6 "snippets.spec"
return ez_result; }
#line 27 "old_returns.cc"
             
} catch (...) { if (!ez_done_7) { 
#line 6 "snippets.spec"
LEAVE(ez_level, 28);
#line 6 "snippets.spec"
#line 6 "snippets.spec"
} throw; } 
#line 28 "old_returns.cc"
}
static int &ref(int &i) { 
#line 3 "snippets.spec"
int ez_level;
#line 3 "snippets.spec"
#line 3 "snippets.spec"
typedef __typeof__(int &) ez_result_8 __attribute__((__unused__));
#line 5 "snippets.spec"
ez_level = ENTER("int &ref(int &)", 29);
#line 5 "snippets.spec"
#line 5 "snippets.spec"
int ez_done_8 = 0; (void)ez_done_8; try {
#line 29 "old_returns.cc"
                          { ez_result_8 ez_result = (
#line 29 "old_returns.cc"
                                 i); ez_done_8 = 1; 
#line 6 "snippets.spec"
LEAVE(ez_level, 29);
#line 6 "snippets.spec"
#line 6 "snippets.spec"
return ez_result; }
#line 29 "old_returns.cc"
                                    } catch (...) { if (!ez_done_8) { 
#line 6 "snippets.spec"
LEAVE(ez_level, 29);
#line 6 "snippets.spec"
#line 6 "snippets.spec"
} throw; } 
#line 29 "old_returns.cc"
                                    }
template <class T> static T larger(T a, T b)
{ 
#line 3 "snippets.spec"
int ez_level;
#line 3 "snippets.spec"
#line 3 "snippets.spec"
typedef __typeof__(T) ez_result_9 __attribute__((__unused__));
#line 5 "snippets.spec"
ez_level = ENTER("T larger(T, T)", 31);
#line 5 "snippets.spec"
#line 5 "snippets.spec"
int ez_done_9 = 0; (void)ez_done_9; try {
#line 31 "old_returns.cc"
 
    if (a < b)
        { ez_result_9 ez_result = (
#line 33 "old_returns.cc"
               b); ez_done_9 = 1; 
#line 6 "snippets.spec"
LEAVE(ez_level, 33);
#line 6 "snippets.spec"
#line 6 "snippets.spec"
return ez_result; }
#line 33 "old_returns.cc"
                 
    { ez_result_9 ez_result = (
#line 34 "old_returns.cc"
           a); ez_done_9 = 1; 
#line 6 "snippets.spec"
LEAVE(ez_level, 34);
#line 6 "snippets.spec"
#line 6 "snippets.spec"
return ez_result; }
#line 34 "old_returns.cc"
             
} catch (...) { if (!ez_done_9) { 
#line 6 "snippets.spec"
LEAVE(ez_level, 35);
#line 6 "snippets.spec"
#line 6 "snippets.spec"
} throw; } 
#line 35 "old_returns.cc"
}
static void nothing(int i)
{ 
#line 3 "snippets.spec"
int ez_level;
#line 3 "snippets.spec"
#line 5 "snippets.spec"
ez_level = ENTER("void nothing(int)", 37);
#line 5 "snippets.spec"
#line 5 "snippets.spec"
int ez_done_10 = 0; (void)ez_done_10; try {
#line 37 "old_returns.cc"
 
    if (i)
        { ez_done_10 = 1; 
#line 6 "snippets.spec"
LEAVE(ez_level, 39);
#line 39 "old_returns.cc"
        return; }
#line 39 "old_returns.cc"
               
} catch (...) { if (!ez_done_10) { 
#line 6 "snippets.spec"
LEAVE(ez_level, 40);
#line 6 "snippets.spec"
#line 6 "snippets.spec"
} throw; } 
#line 6 "snippets.spec"
LEAVE(ez_level, 40);
#line 6 "snippets.spec"
#line 40 "old_returns.cc"
}
static void again(int i) { 
#line 3 "snippets.spec"
int ez_level;
#line 3 "snippets.spec"
#line 5 "snippets.spec"
ez_level = ENTER("void again(int)", 41);
#line 5 "snippets.spec"
#line 5 "snippets.spec"
int ez_done_11 = 0; (void)ez_done_11; try {
#line 41 "old_returns.cc"
                           { 
#line 41 "old_returns.cc"
                                  nothing(i); ez_done_11 = 1; 
#line 6 "snippets.spec"
LEAVE(ez_level, 41);
#line 6 "snippets.spec"
#line 6 "snippets.spec"
return; }
#line 41 "old_returns.cc"
                                              } catch (...) { if (!ez_done_11) { 
#line 6 "snippets.spec"
LEAVE(ez_level, 41);
#line 6 "snippets.spec"
#line 6 "snippets.spec"
} throw; } 
#line 41 "old_returns.cc"
                                              }
int main()
{ 
#line 3 "snippets.spec"
int ez_level;
#line 3 "snippets.spec"
#line 3 "snippets.spec"
typedef __typeof__(int) ez_result_12 __attribute__((__unused__));
#line 4 "snippets.spec"
START();
#line 4 "snippets.spec"
#line 5 "snippets.spec"
ez_level = ENTER("int main()", 43);
#line 5 "snippets.spec"
#line 5 "snippets.spec"
int ez_done_12 = 0; (void)ez_done_12; try {
#line 43 "old_returns.cc"
 
    int k = 1;
    ref(k)++;
    again(1);
    try {
        t(1);
    } catch (const std::exception &) { 
#line 11 "snippets.spec"
CAUGHT(49);
#line 11 "snippets.spec"
#line 49 "old_returns.cc"
                                      
        k++;
    }
    { ez_result_12 ez_result = (
#line 52 "old_returns.cc"
           larger(ap(2)->get(), 1) + k + static_cast<int>(s(1).size() + larger(s(0), std::string("b")).size()) - 8); ez_done_12 = 1; 
#line 6 "snippets.spec"
LEAVE(ez_level, 52);
#line 6 "snippets.spec"
#line 6 "snippets.spec"
return ez_result; }
#line 52 "old_returns.cc"
                                                                                                                   
} catch (...) { if (!ez_done_12) { 
#line 6 "snippets.spec"
LEAVE(ez_level, 53);
#line 6 "snippets.spec"
#line 6 "snippets.spec"
} throw; } 
#line 53 "old_returns.cc"
}
