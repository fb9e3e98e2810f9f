/* plugin_nas_sp.c - made by eztsh-modc from fig8.tpl, to be read, and edited if need be:
 *
 *   cc -O2 -fPIC -shared -fvisibility=hidden -fexceptions -std=gnu11 \
 *       $(eztsh-modc -cflags) plugin_nas_sp.c -o plugin_nas_sp.so
 *
 * with what BEGIN_CFLAGS and BEGIN_LDFLAGS of the script say. Each EZT_EVENT says what an
 * event of that number means. orig_NAME goes on into the original function. */
#include <ezt_probe.h>

#include <stdarg.h>
#include <stddef.h>
#include <sys/types.h>

EZT_MODULE("plugin_nas_sp", 0x7b, "Plugin for the NAS SP kernel")

/* An exception or a cancellation left the original: the states that the call has pushed end. */
EZT_EVENT(0, "pop", "thread", "")
static inline void ezt_unwound(const unsigned *open)
{
    for (unsigned i = *open; i; i--)
        ezt_event0(0);
}

/* ---- adi, line 6 ---- */
EZT_EVENT(1, "event", "thread", "New loop")
EZT_REPLACE("adi_", replace_adi_, orig_adi_)

EZT_ORIG void (*orig_adi_)(void);

EZT_EXPORT void replace_adi_(void)
{
    ezt_event0(1);
    orig_adi_();
}

/* ---- copy_faces, line 10 ---- */
EZT_EVENT(2, "push", "thread", "Doing function copy_faces")
EZT_EVENT(3, "pop", "thread", "")
EZT_REPLACE("copy_faces_", replace_copy_faces_, orig_copy_faces_)

EZT_ORIG void (*orig_copy_faces_)(void);

EZT_EXPORT void replace_copy_faces_(void)
{
    ezt_event0(2);
    __attribute__((cleanup(ezt_unwound))) unsigned ezt_open = 1;
    orig_copy_faces_();
    ezt_open = 0;
    ezt_event0(3);
}

/* ---- txinvr, line 11 ---- */
EZT_EVENT(4, "push", "thread", "Doing function txinvr")
EZT_EVENT(5, "pop", "thread", "")
EZT_REPLACE("txinvr_", replace_txinvr_, orig_txinvr_)

EZT_ORIG void (*orig_txinvr_)(void);

EZT_EXPORT void replace_txinvr_(void)
{
    ezt_event0(4);
    __attribute__((cleanup(ezt_unwound))) unsigned ezt_open = 1;
    orig_txinvr_();
    ezt_open = 0;
    ezt_event0(5);
}

/* ---- x_solve, line 12 ---- */
EZT_EVENT(6, "push", "thread", "Doing function x_solve")
EZT_EVENT(7, "pop", "thread", "")
EZT_REPLACE("x_solve_", replace_x_solve_, orig_x_solve_)

EZT_ORIG void (*orig_x_solve_)(void);

EZT_EXPORT void replace_x_solve_(void)
{
    ezt_event0(6);
    __attribute__((cleanup(ezt_unwound))) unsigned ezt_open = 1;
    orig_x_solve_();
    ezt_open = 0;
    ezt_event0(7);
}

/* ---- y_solve, line 13 ---- */
EZT_EVENT(8, "push", "thread", "Doing function y_solve")
EZT_EVENT(9, "pop", "thread", "")
EZT_REPLACE("y_solve_", replace_y_solve_, orig_y_solve_)

EZT_ORIG void (*orig_y_solve_)(void);

EZT_EXPORT void replace_y_solve_(void)
{
    ezt_event0(8);
    __attribute__((cleanup(ezt_unwound))) unsigned ezt_open = 1;
    orig_y_solve_();
    ezt_open = 0;
    ezt_event0(9);
}

/* ---- z_solve, line 14 ---- */
EZT_EVENT(10, "push", "thread", "Doing function z_solve")
EZT_EVENT(11, "pop", "thread", "")
EZT_REPLACE("z_solve_", replace_z_solve_, orig_z_solve_)

EZT_ORIG void (*orig_z_solve_)(void);

EZT_EXPORT void replace_z_solve_(void)
{
    ezt_event0(10);
    __attribute__((cleanup(ezt_unwound))) unsigned ezt_open = 1;
    orig_z_solve_();
    ezt_open = 0;
    ezt_event0(11);
}

/* ---- add, line 15 ---- */
EZT_EVENT(12, "push", "thread", "Doing function add")
EZT_EVENT(13, "pop", "thread", "")
EZT_REPLACE("add_", replace_add_, orig_add_)

EZT_ORIG void (*orig_add_)(void);

EZT_EXPORT void replace_add_(void)
{
    ezt_event0(12);
    __attribute__((cleanup(ezt_unwound))) unsigned ezt_open = 1;
    orig_add_();
    ezt_open = 0;
    ezt_event0(13);
}
