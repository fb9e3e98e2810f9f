/* SPDX-License-Identifier: MIT */
/* TAU.h - a stub with the interface of TAU that examples/specs/tau.spec uses. A timer's line is read out of its
 * type, " [{file} {line,column}-{line,column}]", and TAU_DEFAULT and TAU_USER are told. */
#include "api.h"
#ifdef __cplusplus
extern "C" {
#endif
struct tau_timer {
    const char *name, *type, *group;
};
void tau_start(const struct tau_timer *t);
#ifdef __cplusplus
}
#endif
#define TAU_DEFAULT "TAU_DEFAULT"
#define TAU_USER "TAU_USER"
#define TAU_PROFILE_TIMER(var, name, type, group)                                                  \
    static const struct tau_timer var = { name, type, group }
#define TAU_PROFILE_START(var) tau_start(&var)
#define TAU_PROFILE_STOP(var) api_leave(var.name)
#define TAU_INIT(argc, argv) api_init(*(argc), (*(argv))[0])
#define TAU_PROFILE_SET_NODE(n) ((void)(n))
#define TAU_PROFILE_EXIT(why) ((void)(why), api_exit())
#ifdef __cplusplus
struct tau_profile {
    struct tau_timer t;
    tau_profile(const char *name, const char *, const char *type, const char *group)
        : t{ name, type, group }
    {
        tau_start(&t);
    }
    ~tau_profile()
    {
        api_leave(t.name);
    }
};
#define TAU_PROFILE(name, rtti, type, group) tau_profile ez_profile(name, rtti, type, group)
#endif
