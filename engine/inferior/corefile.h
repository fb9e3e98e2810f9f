/* SPDX-License-Identifier: GPL-3.0-or-later */
/* corefile.h - reads a core file: memory, mappings, threads and registers of a process that has
 * ended. corefile.c has the memory and the mappings, corefile_notes.c the notes.
 *
 * Every number in the file may be wrong (truncated or damaged files). Sizes are checked against the
 * size of the file, so time and memory are bounded by it. */
#ifndef EZ_INFERIOR_COREFILE_H
#define EZ_INFERIOR_COREFILE_H

#include "engine/inferior/inferior.h"

struct ez_corefile;

struct ez_core_thread {
    pid_t tid;
    int sig;        /* signal that stopped the thread; 0: none */
    bool has_info;  /* `info` is known */
    siginfo_t info; /* siginfo of the signal */
    struct ez_regs regs;
    const uint8_t *extended; /* floating point and vector registers; NULL: the file has none */
    size_t nextended;
};

/* Opens a core file of this machine's processor. EZ_E_NOTFOUND, EZ_E_SYS; EZ_E_FORMAT: not a core
 * file, of another processor, or so damaged that no thread is known. */
ez_err *ez_corefile_open(const char *path, const struct ez_arch *arch,
                         struct ez_corefile **out) EZ_WUR;
void ez_corefile_close(struct ez_corefile *c);

/* Copies up to n bytes of the process's memory. Pages that the file leaves out are read from the
 * files that were mapped. Returns the number of bytes that are known, from `from` on. */
size_t ez_corefile_read(struct ez_corefile *c, uint64_t from, void *buf, size_t n);
/* Sets *m to the mappings; their names live as long as c. */
void ez_corefile_maps(const struct ez_corefile *c, struct ez_maps *m);
/* The threads; the first one is the thread that the signal ended. */
const struct ez_core_thread *ez_corefile_threads(const struct ez_corefile *c, size_t *n);
const struct ez_core_thread *ez_corefile_thread(const struct ez_corefile *c, pid_t tid);
pid_t ez_corefile_pid(const struct ez_corefile *c);
const char *ez_corefile_path(const struct ez_corefile *c);
/* Returns the command line, as far as the file has it, or "". */
const char *ez_corefile_command(const struct ez_corefile *c);
/* Returns the auxiliary vector, *n bytes. */
const uint8_t *ez_corefile_auxv(const struct ez_corefile *c, size_t *n);
/* Returns why a part of the file could not be read, a sentence without the full stop, or NULL. */
const char *ez_corefile_damage(const struct ez_corefile *c);

/* Folders in which files of the process are looked for: sysroot is put before each name; `path` is
 * a list of folders, separated by colons. Both may be "". Applies to files not opened yet. */
void ez_corefile_search(struct ez_corefile *c, const char *sysroot, const char *path);
/* Takes the file at `path` for the file that the process had mapped at address `at`, unless the
 * build-ids differ; then returns false, and the file is used all the same. */
bool ez_corefile_take(struct ez_corefile *c, uint64_t at, const char *path);
/* Returns the path of the file that was mapped as `name`, or NULL if there is none with the same
 * build-id. *other: a file of that name exists, but with another build-id. */
const char *ez_corefile_find(struct ez_corefile *c, const char *name, bool *other);

#endif
