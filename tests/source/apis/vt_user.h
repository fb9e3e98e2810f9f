/* SPDX-License-Identifier: MIT */
/* vt_user.h - a stub with the interface of VampirTrace that examples/specs/vampirtrace.spec uses. */
#include "api.h"
#define VT_User_start__(name, file, line) api_enter(name, file, line)
#define VT_User_end__(name, file, line) ((void)(file), (void)(line), api_leave(name))
#ifdef __cplusplus
struct VT_Tracer {
    const char *name;
    VT_Tracer(const char *n, const char *file, int begin, int) : name(n)
    {
        api_enter(n, file, begin);
    }
    ~VT_Tracer()
    {
        api_leave(name);
    }
};
#endif
