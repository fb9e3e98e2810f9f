/* SPDX-License-Identifier: GPL-3.0-or-later */
/* agree.cc - values of each kind that C++ has; see agree.c. */
#include <string>

#define NOINLINE __attribute__((noinline))

volatile int sink;

template <class T> NOINLINE static void keep(const T &p)
{
    __asm__ volatile("" : : "r"(&p) : "memory");
}

namespace net {
int limit = 2;
enum class state : unsigned char { closed, open = 7 };
enum level { low, high = 9 };

struct base {
    int id = 1;
    static int made;
    virtual ~base() = default;
    virtual int number() const { return id; }
};
int base::made = 3;

struct second {
    long other = 22;
    char tag = 's';
};

class derived : public base, public second
{
  public:
    state st = state::open;
    double weight = 1.5;
    const char *name = "derived";
    int number() const override { return id + 10; }
    NOINLINE int method(int by);

  protected:
    int hidden = 99;
};

int derived::method(int by)
{
    int twice = id * 2 + by;
    base *up = this;
    keep(up);
    sink = twice + (int)other; /* STOP */
    keep(twice);
    return twice + hidden + limit;
}

struct v_base {
    int shared = 5;
};
struct v_left : virtual v_base {
    int left = 6;
};
struct v_right : virtual v_base {
    int right = 7;
};
struct v_both : v_left, v_right {
    int both = 8;
};

namespace inner {
int limit = 20;
NOINLINE int check(int k, derived &d, derived *p, derived &&moved)
{
    level lv = high;
    state s = d.st;
    keep(lv);
    sink = k + limit + (int)s; /* STOP */
    keep(s);
    return p->id + moved.id + lv;
}
} // namespace inner
} // namespace net

template <class T, int N> struct box {
    T item[N];
    static T made;
    T first() const { return item[0]; }
    NOINLINE T sum(T more) const
    {
        T total = more;
        for (int i = 0; i < N; i++)
            total += item[i];
        keep(total);
        sink = (int)total; /* STOP */
        return total + made;
    }
};
template <class T, int N> T box<T, N>::made = 4;

template <class T> NOINLINE T most(T a, T b)
{
    T best = a > b ? a : b;
    keep(best);
    sink = (int)best; /* STOP */
    return best;
}

namespace {
int secret = 41;
struct local_type {
    int a;
    bool b;
    unsigned char c[3];
} local_value = { 1, true, { 1, 2, 255 } };
} // namespace

NOINLINE int references(const int &r, int *const &rp, const std::string &text, net::v_both &v, bool flag, char16_t wide,
                        int (&array)[3])
{
    const char *chars = text.c_str();
    net::v_right *right = &v;
    net::v_base *shared = &v;
    keep(chars);
    keep(right);
    keep(shared);
    sink = r + *rp + v.both; /* STOP */
    return r + array[1] + flag + wide + right->right + shared->shared;
}

NOINLINE int catches(int n)
{
    try {
        if (n > 1)
            throw n;
    } catch (int caught) {
        int plus = caught + 1;
        keep(plus);
        sink = plus; /* STOP */
        return plus;
    }
    return 0;
}

net::derived object;
net::v_both virtual_object;
box<int, 3> ints = { { 1, 2, 3 } };
box<double, 2> doubles = { { 0.5, 0.25 } };
int net::derived::*unused_pointer;

int main()
{
    int x = 5, *px = &x, array[3] = { 1, 2, 3 };
    net::derived here;
    here.id = 17;
    sink = object.method(3);
    sink = net::inner::check(2, object, &here, net::derived());
    sink = ints.sum(10) + (int)doubles.sum(1.5);
    sink = most(1, 2) + (int)most(1.5, 0.5) + most('a', 'b');
    keep(local_value);
    keep(secret);
    sink = references(x, px, "some text", virtual_object, true, u'w', array);
    sink = catches(2);
    return 0;
}
