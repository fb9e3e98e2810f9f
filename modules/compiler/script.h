/* SPDX-License-Identifier: GPL-3.0-or-later */
/* script.h - a plugin script: the module, its functions, their commands.
 *
 * Texts and names are checked copies: a name is an identifier of C, a text has no control
 * character. What the C compiler reads (prototypes, values, the lines of BEGIN_INCLUDE) stays a
 * piece of the script, so that the compiler's errors can be mapped to the script.
 * Tests: tests/unit/modules/check_script.c, tests/fuzz/fuzz_tpl.c */
#ifndef EZ_TPL_SCRIPT_H
#define EZ_TPL_SCRIPT_H

#include "modules/text.h"

struct ez_tpl_param {
    struct ez_piece before, after; /* text of the declaration before and after the name: "double
                                    * (*", ")[3]" */
    char *name;                    /* the script's name, or a generated one (arg1, ...) */
    size_t at;
    bool derived;   /* the type is a pointer, an array or a function */
    bool by_value;  /* FORTRAN's VALUE: passed by value */
    bool character; /* FORTRAN's CHARACTER: its length is a hidden argument */
};

enum ez_tpl_kind { /* kinds of commands, in the order of their names in body.c */
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
    char *text;           /* NULL = none */
    struct ez_piece expr; /* the expression; n 0 = none */
    unsigned event;       /* number of the event; a RECORD_STATE also uses the next number */
    unsigned depth;       /* number of IFs around the command */
};

struct ez_tpl_function {
    char *name;                    /* name in the script */
    char *symbol;                  /* name in the program; in FORTRAN it has a '_' at its end */
    struct ez_piece before, after; /* text of the prototype before its name and after its
                                    * parameters */
    size_t at;
    EZ_VEC(struct ez_tpl_param) params;
    size_t ellipsis;  /* place of "..."; 0: none */
    bool typeless;    /* the prototype has no type, as `adi()` */
    bool is_void;     /* the function has no result (void) */
    bool character;   /* FORTRAN: the result is a CHARACTER */
    bool unspecified; /* there is nothing between the parentheses: the parameters are unspecified */
    EZ_VEC(struct ez_tpl_cmd) cmds;
    size_t call;   /* index of CALL_FUNC in cmds */
    bool counters; /* has COUNTERS */
    bool guard;    /* a value calls a function, so the replacement needs the guard */
};

struct ez_script {
    struct ez_src *t;
    size_t at; /* current position while reading */
    char *name, *desc;
    size_t name_at, desc_at, language_at, type_at, id_at; /* place of each word in the script, + 1;
                                                           * 0 = missing */
    bool fortran, application;
    unsigned id;
    unsigned events; /* highest event number */
    EZ_VEC(struct ez_piece) includes;
    EZ_VEC(char *) cflags;
    EZ_VEC(char *) ldflags;
    EZ_VEC(char *) counters; /* texts of all COUNTERS: names of hardware events */
    EZ_VEC(struct ez_tpl_function) functions;
};

/* Reads and checks the script. Errors go to `t`; without errors, the result is complete. */
void ez_script_read(struct ez_script *s, struct ez_src *t);
void ez_script_deinit(struct ez_script *s);

/* ---- the parts of ez_script_read(), in the order of their calls -------------------------- */

/* Reads a prototype at s->at. Returns false, after reporting an error, if there is none. */
bool ez_proto_read(struct ez_script *s, struct ez_tpl_function *f) EZ_WUR;
/* Reads the commands after BEGIN, up to END. */
void ez_body_read(struct ez_script *s, struct ez_tpl_function *f);
/* Reads the line after a word such as NAME, or the block after BEGIN_INCLUDE. Returns false if the
 * word at s->at begins none of these. */
bool ez_header_read(struct ez_script *s) EZ_WUR;
/* Checks what requires the whole script, and numbers the events. */
void ez_script_verify(struct ez_script *s);

/* Returns true for the name of a command. */
bool ez_body_command(const struct ez_src *t, struct ez_piece word);
/* Reads a text in quotes, and resolves its escapes. Returns NULL, after reporting an error, for
 * another token. The caller frees the text. */
char *ez_body_text(struct ez_src *t, size_t *at) EZ_WUR;
/* Reads a C expression from *at up to the ')' that ends it; *at becomes the place of that ')'.
 * Returns false after reporting an error. */
bool ez_expr_read(struct ez_src *t, size_t *at, struct ez_piece *expr) EZ_WUR;
/* Returns true if the expression calls anything. */
bool ez_expr_calls(const struct ez_src *t, struct ez_piece expr);
/* Returns the place in the script where the expression uses a variable (members of structs do not
 * count); SIZE_MAX if the expression uses no variable. */
size_t ez_expr_uses(const struct ez_src *t, struct ez_piece expr, const char *name);

#endif
