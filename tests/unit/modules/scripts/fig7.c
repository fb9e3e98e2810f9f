/* jobs.c - made by eztsh-modc from fig7.tpl, to be read, and edited if need be:
 *
 *   cc -O2 -fPIC -shared -fvisibility=hidden -fexceptions -std=gnu11 \
 *       $(eztsh-modc -cflags) jobs.c -o jobs.so
 *
 * with what BEGIN_CFLAGS and BEGIN_LDFLAGS of the script say. Each EZT_EVENT says what an
 * event of that number means. orig_NAME goes on into the original function. */
#include <ezt_probe.h>

#include <stdarg.h>
#include <stddef.h>
#include <sys/types.h>

EZT_MODULE("jobs", 0x11, "")

/* ---- submit_jobs, line 5 ---- */
EZT_EVENT(1, "var-add", "process", "Number of jobs")
EZT_EVENT(2, "event", "thread", "New jobs")
EZT_REPLACE("submit_jobs", replace_submit_jobs, orig_submit_jobs)

EZT_ORIG int (*orig_submit_jobs)(int nb_jobs);

EZT_EXPORT int replace_submit_jobs(int nb_jobs)
{
    ezt_event1(1, ezt_double((double)(nb_jobs)));
    int RESULT = orig_submit_jobs(nb_jobs);
    ezt_event0(2);
    return RESULT;
}
