/* SPDX-License-Identifier: GPL-3.0-or-later */
/* t_wide.cc - texts of wide characters, and numbers of unusual types, for tests/procs/forms.sh. */
#include <uchar.h>
#include <wchar.h>
wchar_t w1[8] = L"wid\u00e9"; wchar_t w2[30] = {}; wchar_t w3[40] = L"aaaaaaaaaaaaaaaaaaaaaaaab\nq\"z"; const wchar_t *wp = L"point\ter"; 
char16_t c16[6] = u"six\u20ac"; char32_t c32[6] = U"thi\U0001F600"; const char16_t *p16 = u"ptr16"; const char32_t *p32 = U"ptr32"; wchar_t *wn = 0; wchar_t *wbad = (wchar_t*)1;
char16_t one16 = u'x'; char32_t one32 = U'\u00e9'; wchar_t onew = L'\n'; struct { wchar_t n[4]; char16_t m[3]; const wchar_t *p; } st = { L"ab", u"cd", L"ef" };
typedef wchar_t mychar; mychar my[4] = L"my"; const wchar_t cw[] = L"constw"; wchar_t full[3] = { 'a', 'b', 'c' }; wchar_t big[400]; wchar_t two[2][4] = { L"x", L"yz" };
signed char sc[4] = "sc"; unsigned char *ucp = (unsigned char *)"ucp"; const char *volatile vp = "vp"; char *const cp = (char *)"cp"; typedef char tc; tc *tcp = (char *)"tcp"; const tc *ctcp = "ctcp"; typedef char *str; str sp = (char*)"sp"; wchar_t oct[4] = { 1, '2', 200, 0x85 };
float nanf_ = __builtin_nanf(""); double nans = -__builtin_nan("5"); long double ldn = __builtin_nanl(""), ldi = -__builtin_infl(), ldm = -__builtin_nanl("7"); _Complex float cf = 1; _Complex long double cl = 2;
enum E : unsigned char { EA = 1, EB = 200 } e = EB; enum class Q : long { A = -1 } q = Q::A; bool bb = true; __int128 arr128[2] = { 1, -1 };
int f(int x) { return x + 1; }
int main() { for (int i = 0; i < 400; i++) big[i] = 'A' + i % 3; return f(2); }
