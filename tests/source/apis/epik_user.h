/* SPDX-License-Identifier: MIT */
/* epik_user.h - a stub with the interface of Scalasca's EPIK that examples/specs/epik.spec uses. */
#include "api.h"
#define EPIK_User_start(name, file, line) api_enter(name, file, line)
#define EPIK_User_end(name, file, line) ((void)(file), (void)(line), api_leave(name))
#ifdef __cplusplus
struct EPIK_User_region {
    const char *name;
    EPIK_User_region(const char *n, const char *file, int begin, int) : name(n)
    {
        api_enter(n, file, begin);
    }
    ~EPIK_User_region()
    {
        api_leave(name);
    }
};
#endif
