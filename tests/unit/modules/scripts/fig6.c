/* foo.c - made by eztsh-modc from fig6.tpl, to be read, and edited if need be:
 *
 *   cc -O2 -fPIC -shared -fvisibility=hidden -fexceptions -std=gnu11 \
 *       $(eztsh-modc -cflags) foo.c -o foo.so
 *
 * with what BEGIN_CFLAGS and BEGIN_LDFLAGS of the script say. Each EZT_EVENT says what an
 * event of that number means. orig_NAME goes on into the original function. */
#include <ezt_probe.h>

#include <stdarg.h>
#include <stddef.h>
#include <sys/types.h>

EZT_MODULE("foo", 0x10, "Plugin for the foo library")

/* An exception or a cancellation left the original: the states that the call has pushed end. */
EZT_EVENT(0, "pop", "thread", "")
static inline void ezt_unwound(const unsigned *open)
{
    for (unsigned i = *open; i; i--)
        ezt_event0(0);
}

/* ---- foo, line 9 ---- */
EZT_EVENT(1, "push", "thread", "doing function foo")
EZT_EVENT(2, "pop", "thread", "")
EZT_REPLACE("foo", replace_foo, orig_foo)

EZT_ORIG int (*orig_foo)(int arg1, int arg2);

EZT_EXPORT int replace_foo(int arg1, int arg2)
{
    ezt_event0(1);
    __attribute__((cleanup(ezt_unwound))) unsigned ezt_open = 1;
    int RESULT = orig_foo(arg1, arg2);
    ezt_open = 0;
    ezt_event0(2);
    return RESULT;
}

/* ---- bar, line 13 ---- */
EZT_EVENT(3, "event", "thread", "function bar called")
EZT_REPLACE("bar", replace_bar, orig_bar)

EZT_ORIG void (*orig_bar)(int arg1);

EZT_EXPORT void replace_bar(int arg1)
{
    ezt_event0(3);
    orig_bar(arg1);
}
