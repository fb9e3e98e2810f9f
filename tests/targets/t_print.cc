/* SPDX-License-Identifier: GPL-3.0-or-later */
/* t_print.cc - classes, namespaces, references, and a stop inside a member function (print.sh). */
#include <cstdio>

#ifdef __x86_64__
#define STOP(...) __asm__ volatile("int3" : : __VA_ARGS__ : "memory")
#else
#define STOP(...) __asm__ volatile("brk #0" : : __VA_ARGS__ : "memory")
#endif

namespace ns {
enum class kind { one = 1, two };
struct base {
    int b;
    virtual int area() const { return b; }
    virtual ~base() {}
};
struct plain {
    int p;
    char tag[4];
};
class box : public plain {
public:
    box(int n) : plain{ n, "bx" }, count(n * 2), wide(0.5) {}
    int count;
    double wide;
    bool flag = true;
    kind k = kind::two;
    plain *self = this;
    __attribute__((noinline)) int sum(int more)
    {
        int own = more + 1;
        STOP("r"(this), "r"(&own), "r"(more));
        count += own;
        return count + more;
    }
};
int global = 7;
struct derived : base {
    int d = 3;
};
} // namespace ns

static ns::box things(4);
ns::derived virt;
int &ref = ns::global;
static int inside = 6;
template <class T> struct pair {
    T a, b;
};
pair<long> longs = { 1, 2 };
wchar_t wide = L'x';

int main(int argc, char **)
{
    printf("%d %d\n", things.sum(argc + inside), ref + virt.area() + (int)longs.a);
}
