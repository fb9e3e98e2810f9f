/* SPDX-License-Identifier: GPL-3.0-or-later */
/* t_types.cc - functions with C++'s kinds of parameters and results (t_types.c). */
#include <string>
#include <vector>

#ifdef __clang__
#define KEPT __attribute__((noinline))
#else
#define KEPT __attribute__((noipa))
#endif

volatile long sink;

namespace ns {
enum class level : short { low = -1, high = 7 };
struct point { /* plain: in registers */
    int x, y;
    KEPT int sum(int more) const;
    static int made;
};
int point::made = 3;
int point::sum(int more) const
{
    sink = sink + more;
    return x + y + more;
}
struct owner { /* copied by its own code: by the address of a copy */
    int id;
    owner(int i) : id(i) {}
    owner(const owner &o) : id(o.id + 100) { sink = sink + 1; }
    ~owner() { sink = sink + id; }
};
struct holder { /* has a member that is */
    owner o;
    int n;
};
struct virt { /* virtual: the same */
    int v;
    virt(int i) : v(i) {}
    virtual ~virt() {}
    virtual int get(int k) { return v + k; }
};
struct derived : point {
    double d;
};
struct empty {
};
KEPT int by_value(point p, int n)
{
    sink = sink + p.x;
    return p.y + n;
}
KEPT int by_ref(int &r, const point &p, int &&moved)
{
    sink = sink + moved;
    r += p.x;
    return r;
}
KEPT int owned(int before, owner o, int after)
{
    sink = sink + before + after;
    return o.id;
}
KEPT int held(holder h, int after)
{
    sink = sink + after;
    return h.n + h.o.id;
}
KEPT owner make_owner(int id)
{
    sink = sink + id;
    return owner(id);
}
KEPT int virtuals(virt v, int after)
{
    sink = sink + after;
    return v.v;
}
KEPT int nothing_in(empty, int n, empty, int m)
{
    sink = sink + m;
    return n;
}
KEPT int inherits(derived d)
{
    sink = sink + (long)d.d;
    return d.x;
}
KEPT level leveled(level l)
{
    sink = sink + (long)l;
    return l == level::low ? level::high : level::low;
}
KEPT int texted(const std::string &r, std::string v, std::string *p)
{
    sink = sink + (long)r.size() + (long)p->size();
    return (int)v.size();
}
KEPT std::string make_text(int n)
{
    sink = sink + n;
    return std::string("made ") + std::to_string(n);
}
template <typename T> KEPT T twice(T t)
{
    sink = sink + (long)t;
    return t + t;
}
KEPT int vectors(const std::vector<int> &v, std::nullptr_t none, int n)
{
    sink = sink + (none == nullptr);
    return v[0] + n;
}
} // namespace ns

int main()
{
    ns::point p = { 4, 5 };
    int r = 6;
    std::string s = "short", l = "a text that is longer than its own place";
    ns::derived d;
    d.x = 1, d.y = 2, d.d = 3.5;
    sink = sink + ns::by_value(p, 1);
    sink = sink + ns::by_ref(r, p, 8);
    sink = sink + p.sum(10);
    sink = sink + ns::owned(1, ns::owner(2), 3);
    sink = sink + ns::held(ns::holder{ ns::owner(5), 6 }, 7);
    sink = sink + ns::make_owner(9).id;
    sink = sink + ns::virtuals(ns::virt(12), 13);
    sink = sink + ns::nothing_in(ns::empty(), 14, ns::empty(), 15);
    sink = sink + ns::inherits(d);
    sink = sink + (long)ns::leveled(ns::level::low);
    sink = sink + ns::texted(s, l, &s);
    sink = sink + (long)ns::make_text(16).size();
    sink = sink + ns::twice(17) + (long)ns::twice(1.25);
    sink = sink + ns::vectors(std::vector<int>{ 1, 2 }, nullptr, 18);
    return (int)sink & 1;
}
