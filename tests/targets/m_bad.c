/* SPDX-License-Identifier: MIT */
/* m_bad.c - a module with an ID that is none. */
#include "ezt_probe.h"

EZT_MODULE("m_bad", 0x5, "nothing")
