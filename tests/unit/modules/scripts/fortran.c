/* fortran.c - made by eztsh-modc from fortran.tpl, to be read, and edited if need be:
 *
 *   cc -O2 -fPIC -shared -fvisibility=hidden -fexceptions -std=gnu11 \
 *       $(eztsh-modc -cflags) fortran.c -o fortran.so
 *
 * with what BEGIN_CFLAGS and BEGIN_LDFLAGS of the script say. Each EZT_EVENT says what an
 * event of that number means. orig_NAME goes on into the original function. */
#include <ezt_probe.h>

#include <stdarg.h>
#include <stddef.h>
#include <sys/types.h>

EZT_MODULE("fortran", 0x20, "")

typedef int INTEGER;
typedef double REAL8;

/* ---- Store, line 5 ---- */
EZT_EVENT(1, "var-set", "process", "n")
EZT_EVENT(2, "var-set", "process", "second")
EZT_EVENT(3, "var-set", "process", "n behind")
EZT_EVENT(4, "var-set", "process", "letters")
EZT_REPLACE("store_", replace_store_, orig_store_)

EZT_ORIG void (*orig_store_)(INTEGER *n, REAL8 values[], char *name, char *unit, size_t name_len, size_t unit_len);

EZT_EXPORT void replace_store_(INTEGER *n, REAL8 values[], char *name, char *unit, size_t name_len, size_t unit_len)
{
    if (&(*n)) {
        ezt_event1(1, ezt_double((double)((*n))));
        ezt_event1(2, ezt_double((double)(values[1])));
    }
    orig_store_(n, values, name, unit, name_len, unit_len);
    if (&(*n)) {
        ezt_event1(3, ezt_double((double)((*n))));
    }
    ezt_event1(4, ezt_double((double)(name_len * 100 + unit_len)));
}

/* ---- mean, line 17 ---- */
EZT_EVENT(5, "var-set", "process", "mean")
EZT_REPLACE("mean_", replace_mean_, orig_mean_)

EZT_ORIG REAL8 (*orig_mean_)(INTEGER *n, REAL8 values[]);

EZT_EXPORT REAL8 replace_mean_(INTEGER *n, REAL8 values[])
{
    REAL8 RESULT = orig_mean_(n, values);
    ezt_event1(5, ezt_double((double)(RESULT)));
    return RESULT;
}

/* ---- label, line 22 ---- */
EZT_EVENT(6, "var-set", "process", "n")
EZT_EVENT(7, "var-set", "process", "first")
EZT_REPLACE("label_", replace_label_, orig_label_)

EZT_ORIG void (*orig_label_)(char *RESULT, size_t RESULT_len, INTEGER n);

EZT_EXPORT void replace_label_(char *RESULT, size_t RESULT_len, INTEGER n)
{
    ezt_event1(6, ezt_double((double)(n)));
    orig_label_(RESULT, RESULT_len, n);
    ezt_event1(7, ezt_double((double)(RESULT[0])));
}
