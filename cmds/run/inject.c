/* SPDX-License-Identifier: GPL-3.0-or-later */
/* inject.c - `mmap`, `munmap`, `syscall`: system calls that the target executes.
 * Tests: tests/e2e/inject.ezt, tests/e2e/mmap.ezt */
#include <string.h>
#include <sys/mman.h>

#include "cmds/cmd.h"
#include "cmds/parse.h"
#include "cmds/data/values.h"
#include "shell/parse_word.h"
#include "shell/out.h"
#include "shell/sess.h"

/* Parses memory protection as /proc/PID/maps writes it, "rw-" or "rx", or "none". */
static ez_err *inject_parse_prot(const char *text, int *prot)
{
    *prot = 0;
    if (!strcmp(text, "none"))
        return NULL;
    for (const char *p = text; *p; p++) {
        if (*p == 'r')
            *prot |= PROT_READ;
        else if (*p == 'w')
            *prot |= PROT_WRITE;
        else if (*p == 'x')
            *prot |= PROT_EXEC;
        else if (*p != '-')
            return ez_err_hint(ez_err_new(EZ_E_ARG, 0, "Invalid protection \"%s\"", text),
                               "Write letters of \"rwx\", or \"none\"");
    }
    return NULL;
}

static ez_err *cmd_mmap(struct ez_sess *s, int argc, char **argv)
{
    uint64_t length;
    ez_addr at = { EZ_ANYWHERE }, got;
    int prot = PROT_READ | PROT_WRITE, i = 2;
    EZ_TRY(parse_size(argv[1], &length));
    if (i < argc && strcmp(argv[i], "at"))
        EZ_TRY(inject_parse_prot(argv[i++], &prot));
    if (i < argc) {
        if (strcmp(argv[i], "at") || i + 2 != argc)
            return opt_misuse(s);
        EZ_TRY(parse_addr(s, argv[i + 1], &at));
    }
    EZ_TRY(ez_remote_mmap(s->target, length, prot, at.v, &got));
    values_set_last(s, got.v);
    out_line(s, "$_ = %s (%s, %c%c%c, anonymous)", out_addr(s, got.v), out_size(s, length),
             prot & PROT_READ ? 'r' : '-', prot & PROT_WRITE ? 'w' : '-',
             prot & PROT_EXEC ? 'x' : '-');
    return NULL;
}

const struct ez_cmd command_mmap = {
    .name = "mmap",
    .usage = "LENGTH [PROT] [at ADDR]",
    .brief = "Map new memory in the stopped target.",
    .help = "PROT consists of r, w, x and -, or is \"none\"; the default is rw-. LENGTH may\n"
            "end in K, M or G. The address of the memory is printed and stored in $_.",
    .examples = "mmap 8192 rw-\n"
                "mmap 1M r-x at 0x10000000",
    .see_also = "munmap, syscall, info mappings",
    OPERANDS(DATA, 1, 4),
    .flags = NEED_STOPPED | MUTATES | TEXT_ONLY,
    .fn = cmd_mmap,
};

static ez_err *cmd_munmap(struct ez_sess *s, int argc, char **argv)
{
    ez_addr addr;
    uint64_t length;
    EZ_TRY(parse_addr(s, argv[1], &addr));
    EZ_TRY(parse_size(argv[2], &length));
    EZ_TRY(ez_remote_munmap(s->target, addr, length));
    out_line(s, "Unmapped %s at %s.", out_size(s, length), out_addr(s, addr.v));
    return NULL;
}

const struct ez_cmd command_munmap = {
    .name = "munmap",
    .usage = "ADDR LENGTH",
    .brief = "Unmap memory of the stopped target.",
    .help = "The command does not unmap the memory of eztsh's runtime and trampolines,\n"
            "because a thread may be executing code in it.",
    .examples = "munmap $_ 8192",
    .see_also = "mmap, info mappings",
    OPERANDS(DATA, 2, 2),
    .flags = NEED_STOPPED | MUTATES | TEXT_ONLY,
    .fn = cmd_munmap,
};

static ez_err *cmd_syscall(struct ez_sess *s, int argc, char **argv)
{
    uint64_t arg[6] = { 0 }, nr;
    int64_t result;
    long known = ez_syscall_number(argv[1]);
    if (known >= 0)
        nr = (uint64_t)known;
    else if (!ez_err_drop(parse_count(argv[1], "a system call", &nr)))
        return ez_err_new(EZ_E_NOTFOUND, 0, "Unknown syscall name '%s'", argv[1]);
    for (int i = 2; i < argc; i++)
        EZ_TRY(parse_value(s, argv[i], &arg[i - 2]));
    EZ_TRY(ez_remote_syscall(s->target, (long)nr, arg, &result));
    if (result < 0 && result >= -4095) {
        const char *name = ez_syscall_name((long)nr);
        return ez_err_new(EZ_E_REMOTE, 0, "The target's %s failed: %s (%s)", name ? name : argv[1],
                          ez_errno_name((int)-result), strerror((int)-result));
    }
    values_set_last(s, (uint64_t)result);
    out_line(s, "$_ = %s (%lld)", out_addr(s, (uint64_t)result), (long long)result);
    return NULL;
}

const struct ez_cmd command_syscall = {
    .name = "syscall",
    .usage = "NAME|NR [ARG...]",
    .brief = "Execute a system call in the stopped target.",
    .help = "The result is printed and stored in $_. If the call fails, the name of the\n"
            "error is printed. If the thread was sleeping in a system call, it continues to\n"
            "sleep afterwards.",
    .examples = "syscall getppid\n"
                "syscall close 5",
    .see_also = "call, mmap",
    OPERANDS(DATA, 1, 7),
    .flags = NEED_STOPPED | MUTATES | TEXT_ONLY,
    .fn = cmd_syscall,
};
