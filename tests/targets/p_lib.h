/* SPDX-License-Identifier: MIT */
#ifndef P_LIB_H
#define P_LIB_H
unsigned lib_mix(unsigned a, unsigned b);
unsigned lib_started(void); /* calls made by the library's constructor */
#endif
