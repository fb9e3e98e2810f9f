/* SPDX-License-Identifier: MIT */
/* SCOREP_User.h - a stub with the user interface of Score-P that examples/specs/scorep.spec uses. */
#include "../api.h"
#define SCOREP_USER_REGION_TYPE_FUNCTION 2
#define SCOREP_USER_REGION_DEFINE(handle) static const char *handle;
#define SCOREP_USER_REGION_BEGIN(handle, name, type, file, line)                                   \
    handle = name;                                                                                 \
    api_enter(name, file, line);
#define SCOREP_USER_REGION_END(handle) api_leave(handle);
#ifdef __cplusplus
struct scorep_region {
    const char *name;
    scorep_region(const char *n, const char *file, int line) : name(n)
    {
        api_enter(n, file, line);
    }
    ~scorep_region()
    {
        api_leave(name);
    }
};
#define SCOREP_USER_REGION(name, type, file, line) scorep_region ez_region(name, file, line);
#endif
