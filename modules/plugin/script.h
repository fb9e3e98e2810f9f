/* SPDX-License-Identifier: GPL-3.0-or-later */
/* script.h - what a plugin script says: the module, its functions, their commands.
 *
 * Texts and names are copies that were checked: a name is an identifier of C, a text has no
 * control character. What goes to the C compiler as C (prototypes, values, the lines of
 * BEGIN_INCLUDE) stays a piece of the script's text, so that the compiler's errors find their way
 * back to it.
 * Tests: tests/unit/modules/check_script.c, tests/fuzz/fuzz_tpl.c */
#ifndef EZ_TPL_SCRIPT_H
#define EZ_TPL_SCRIPT_H

#include "modules/text.h"

struct ez_tpl_param {
    struct ez_piece before, after; /* of its name: "double (*", ")[3]"               */
    char *name;                    /* given by us (arg1, ...) when the script has none */
    size_t at;
    bool derived;   /* a pointer, an array, a function                                */
    bool by_value;  /* FORTRAN: VALUE                                                 */
    bool character; /* FORTRAN: CHARACTER, has a hidden length                        */
};

enum ez_tpl_kind { /* of commands, in the order of their names in body.c */
                   EZ_TPL_ADD_VAR,
                   EZ_TPL_CALL,
                   EZ_TPL_COUNTERS,
                   EZ_TPL_ELSE,
                   EZ_TPL_END_IF,
                   EZ_TPL_EVENT,
                   EZ_TPL_IF,
                   EZ_TPL_POP,
                   EZ_TPL_PUSH,
                   EZ_TPL_RECORD,
                   EZ_TPL_SET,
                   EZ_TPL_SET_VAR,
                   EZ_TPL_SUB_VAR,
};

struct ez_tpl_cmd {
    enum ez_tpl_kind kind;
    size_t at;
    char *text;           /* NULL = the command has none                              */
    struct ez_piece expr; /* n = 0: the command has none                              */
    unsigned event;       /* its number; a RECORD_STATE has event + 1, too            */
    unsigned depth;       /* of the IFs around it                                     */
};

struct ez_tpl_function {
    char *name;                    /* in the script                                      */
    char *symbol;                  /* of the program: FORTRAN adds a '_'                  */
    struct ez_piece before, after; /* of its name and parameters                         */
    size_t at;
    EZ_VEC(struct ez_tpl_param) params;
    size_t ellipsis;  /* place of "...": 0 = there is none                               */
    bool typeless;    /* `adi()`                                                          */
    bool is_void;     /* no result                                                       */
    bool character;   /* FORTRAN: the result is a CHARACTER                              */
    bool unspecified; /* nothing between the brackets                                    */
    EZ_VEC(struct ez_tpl_cmd) cmds;
    size_t call;   /* index of CALL_FUNC in cmds                                           */
    bool counters; /* there are COUNTERS */
    bool guard;    /* a value calls a function                                              */
};

struct ez_script {
    struct ez_src *t;
    size_t at; /* while it is read */
    char *name, *desc;
    size_t name_at, desc_at, language_at, type_at, id_at; /* of the words, + 1; 0 = not given */
    bool fortran, application;
    unsigned id;
    unsigned events; /* the highest number of one */
    EZ_VEC(struct ez_piece) includes;
    EZ_VEC(char *) cflags;
    EZ_VEC(char *) ldflags;
    EZ_VEC(char *) counters; /* texts of COUNTERS: events of the hardware, for all functions */
    EZ_VEC(struct ez_tpl_function) functions;
};

/* Reads and checks the script. What is wrong is in `t`; without errors, the result is complete. */
void ez_script_read(struct ez_script *s, struct ez_src *t);
void ez_script_deinit(struct ez_script *s);

/* ---- its parts: script.c calls them, in this order --------------------------------------- */

/* A prototype at s->at. False: it is none; what is wrong was said. */
bool ez_proto_read(struct ez_script *s, struct ez_tpl_function *f) EZ_WUR;
/* The commands behind BEGIN, up to END. */
void ez_body_read(struct ez_script *s, struct ez_tpl_function *f);
/* The line behind a word such as NAME, or the block behind BEGIN_INCLUDE. False: the word at s->at
 * begins none of these. */
bool ez_header_read(struct ez_script *s) EZ_WUR;
/* All that can only be told when the whole script is known; numbers the events. */
void ez_script_verify(struct ez_script *s);

/* Is this the name of a command? */
bool ez_body_command(const struct ez_src *t, struct ez_piece word);
/* A text in quotes, as it is meant. NULL: the token is none; that was said. The caller frees it. */
char *ez_body_text(struct ez_src *t, size_t *at) EZ_WUR;
/* An expression of C from *at up to the ')' that closes it, which stays. False: see above. */
bool ez_expr_read(struct ez_src *t, size_t *at, struct ez_piece *expr) EZ_WUR;
/* Does the expression call anything? */
bool ez_expr_calls(const struct ez_src *t, struct ez_piece expr);
/* The place of a variable in the expression: members of that name are none. SIZE_MAX = none. */
size_t ez_expr_uses(const struct ez_src *t, struct ez_piece expr, const char *name);

#endif
