/* SPDX-License-Identifier: GPL-3.0-or-later */
/* proto.h - the protocol between conv_gtg.c and ezt-gtg.
 *
 *     ezt-gtg TYPE OUTPUT      TYPE: paje, pajez (compressed), vite, otf
 *
 * The standard input of ezt-gtg is a socket. ezt-gtg answers with lines: "ready" as soon as the
 * folder of OUTPUT is known to be writable, and at the end "ok NOTICE", where NOTICE (may be empty)
 * says what the format could not represent. Any other line is the reason why there is no OUTPUT;
 * the exit status is then 1.
 *
 * Frames have a fixed size. The text of a definition follows its frame, padded with zeros to a
 * multiple of 8 bytes. Numbers have the machine's byte order. Containers are numbered from 0 in the
 * order of their definitions, and so are names. An open link has a slot: a number that is free
 * again when the link ends. A new slot has the next number.
 *
 * Tests: tests/unit/format/check_gtg.c, tests/unit/format/check_gtg_feed.c */
#ifndef EZ_GTG_PROTO_H
#define EZ_GTG_PROTO_H

#include <stdint.h>

#define GTG_TEXT_MAX 1000 /* maximum length of a name in bytes; longer names are cut */
#define GTG_NO_PEER UINT32_MAX

enum gtg_verb {
    GTG_V_CONTAINER = 1, /* name: parent (0 for the first); more: level; value: bytes of the text */
    GTG_V_NAME,          /* more: kind; value: bytes of the text */
    GTG_V_PUSH,
    GTG_V_POP,
    GTG_V_EVENT,
    GTG_V_VAR,        /* value: the bits of a double */
    GTG_V_LINK_START, /* more: container at the other end, or GTG_NO_PEER; value: slot */
    GTG_V_LINK_END,   /* value: slot */
    GTG_V_MESSAGE,    /* belongs to the next LINK_START or LINK_END; more: tag; value: bytes */
    GTG_V_CONTAINER_END,
    GTG_V_END, /* the last frame: ends all open states, links and containers */
};

/* the same values as in engine/trace/model.h, which ezt-gtg does not include */
enum gtg_level { GTG_L_PROGRAM, GTG_L_HOST, GTG_L_PROCESS, GTG_L_THREAD, GTG_LEVELS };
enum gtg_kind { GTG_N_STATE, GTG_N_EVENT, GTG_N_VAR, GTG_N_LINK, GTG_KINDS };

struct gtg_frame {
    uint32_t verb;
    uint32_t container;
    uint32_t name;
    uint32_t more;
    uint64_t ns; /* since the beginning of the trace; never decreases */
    uint64_t value;
};

#define GTG_PADDED(n) (((uint64_t)(n) + 7) / 8 * 8)

#endif
