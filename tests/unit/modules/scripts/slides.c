/* example_lib.c - made by eztsh-modc from slides.tpl, to be read, and edited if need be:
 *
 *   cc -O2 -fPIC -shared -fvisibility=hidden -fexceptions -std=gnu11 \
 *       $(eztsh-modc -cflags) example_lib.c -o example_lib.so
 *
 * with what BEGIN_CFLAGS and BEGIN_LDFLAGS of the script say. Each EZT_EVENT says what an
 * event of that number means. orig_NAME goes on into the original function. */
#include <ezt_probe.h>

#include <stdarg.h>
#include <stddef.h>
#include <sys/types.h>

EZT_MODULE("example_lib", 0x42, "module for the example library")

/* An exception or a cancellation left the original: the states that the call has pushed end. */
EZT_EVENT(0, "pop", "thread", "")
static inline void ezt_unwound(const unsigned *open)
{
    for (unsigned i = *open; i; i--)
        ezt_event0(0);
}

/* ---- example_function2, line 7 ---- */
EZT_EVENT(1, "push", "thread", "running example_function2")
EZT_EVENT(2, "pop", "thread", "")
EZT_REPLACE("example_function2", replace_example_function2, orig_example_function2)

EZT_ORIG int (*orig_example_function2)(int*array, int array_size);

EZT_EXPORT int replace_example_function2(int*array, int array_size)
{
    ezt_event0(1);
    __attribute__((cleanup(ezt_unwound))) unsigned ezt_open = 1;
    int RESULT = orig_example_function2(array, array_size);
    ezt_open = 0;
    ezt_event0(2);
    return RESULT;
}
