/* SPDX-License-Identifier: MIT */
/* api.h - what the stubs of measurement interfaces share: they print what they are told. */
#ifndef API_H
#define API_H
#ifdef __cplusplus
extern "C" {
#endif
void api_init(int argc, const char *program);
void api_enter(const char *name, const char *file, int line);
void api_leave(const char *name);
void api_exit(void);
#ifdef __cplusplus
}
#endif
#endif
