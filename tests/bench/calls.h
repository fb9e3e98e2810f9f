/* SPDX-License-Identifier: GPL-3.0-or-later */
/* calls.h - the library's side of the benchmark. */
#ifndef EZ_BENCH_CALLS_H
#define EZ_BENCH_CALLS_H
int c_lib(int x);
int r_lib(int x);
int wc_lib(int x);
int wr_lib(int x);
#endif
