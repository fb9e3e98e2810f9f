/* SPDX-License-Identifier: GPL-3.0-or-later */
/* sym_bfd.c - source lines, by libbfd's DWARF reader and sym_rows.c, in a process of its own.
 *
 * Why:    the library trusts what it reads: a file can keep it busy for ever, make it allocate
 *         all memory, or make it open other files. In the shell nobody could interrupt it,
 *         while the target is stopped.
 * How:    the first question makes a server: a copy of the shell without its descriptors. The
 *         server gets open files and lists of addresses. It has two seconds for each answer,
 *         and bounds of memory and processor time. It is no child of the shell, so that waiting
 *         for the target never reports it; it ends with its socket.
 * Errors: none; a line that cannot be told is unknown. A file that ended the server is not
 *         asked about again (o->lines_lost), and the next question makes a new server.
 * Tests:  tests/unit/engine/check_sym.c ("lines", "damaged"), tests/procs/foreign.sh */
#include "config.h"

#include <bfd.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <time.h>

#include "engine/sym/sym_priv.h"
#include "engine/sym/sym_rows.h"
#include "engine/base/strutil.h"

enum {
    SOCK = 3,
    ANSWER_S = 2,     /* of processor time, for one address                   */
    WAIT_S = 5,       /* the same by the clock: on a busy machine waiting is no fault */
    SILENCE_MS = 7000 /* after that the server hangs in the kernel            */
};
#define MEMORY (2ull << 30) /* beyond what the server has from the shell */
#define PROCESSOR_S 30
#define MANGLED 16384 /* bytes of a name at most */
#define ROWS (4u << 20)
/* for inlined functions: those not found in that time are not told */
#define LOOK (CLOCKS_PER_SEC)

enum {
    AT,    /* the line of each address                                         */
    BEGIN, /* the line that declares the function `text`, which begins there   */
    OF,    /* all rows of source files of the base name `text`                 */
    INTO   /* the rows of the function `text` where it is inlined             */
};

struct question {
    uint32_t object;  /* the object's number; the first question comes with its descriptor */
    uint32_t what, n; /* n addresses follow                                      */
    char name[256];   /* the file's name: libbfd looks beside it for a part that dwz moved */
    char text[1024];
};

struct answer {
    uint32_t line;       /* 0 = unknown; for rows: the last row came before          */
    uint32_t len;        /* bytes of the file's name, which follows; for rows 0 = as before */
    uint32_t inlined;    /* bytes of the name of the function inlined there, which follows   */
    uint64_t vaddr, end; /* of rows                                           */
};

/* ---- the other process --------------------------------------------------------------- */

static bool sym_bfd_all(int fd, void *buf, size_t n, bool writing)
{
    char *p = buf;
    while (n) {
        ssize_t k = writing ? send(fd, p, n, MSG_NOSIGNAL) : recv(fd, p, n, 0);
        if (k < 0 && errno == EINTR)
            continue;
        if (k <= 0)
            return false;
        p += k, n -= (size_t)k;
    }
    return true;
}

static void sym_bfd_confine(int sock)
{
    struct rlimit cpu = { PROCESSOR_S, PROCESSOR_S }, none = { 0, 0 }, as;
    unsigned long pages = 0;
    sigset_t alarms;
    FILE *f = fopen("/proc/self/statm", "re");
    if (!f || fscanf(f, "%lu", &pages) != 1)
        _exit(1);
    fclose(f);
    as.rlim_cur = as.rlim_max = pages * ez_page() + MEMORY;
    int null = open("/dev/null", O_RDWR | O_CLOEXEC);
    if (null < 0 || dup2(sock, SOCK) < 0)
        _exit(1);
    for (int fd = 0; fd < SOCK; fd++)
        dup2(null, fd);
    close_range(SOCK + 1, ~0u, 0);
    setrlimit(RLIMIT_CPU, &cpu);
    setrlimit(RLIMIT_AS, &as);
    setrlimit(RLIMIT_CORE, &none);
    setrlimit(RLIMIT_FSIZE, &none);
    signal(SIGALRM, SIG_DFL);
    signal(SIGPROF, SIG_DFL);
    sigemptyset(&alarms);
    sigaddset(&alarms, SIGALRM);
    sigaddset(&alarms, SIGPROF);
    sigprocmask(SIG_UNBLOCK, &alarms, NULL);
}

/* Sets how long the server lives from now on, unless this is called again; 0 = without limit,
 * while nobody asks. */
static void sym_bfd_live(time_t processor, unsigned clock)
{
    struct itimerval most = { .it_value.tv_sec = processor };
    setitimer(ITIMER_PROF, &most, NULL);
    alarm(clock);
}

static bool sym_bfd_receive(struct question *q, int *fd)
{
    char control[CMSG_SPACE(sizeof *fd)];
    struct iovec iov = { q, sizeof *q };
    struct msghdr msg = {
        .msg_iov = &iov, .msg_iovlen = 1, .msg_control = control, .msg_controllen = sizeof control
    };
    ssize_t got = recvmsg(SOCK, &msg, MSG_CMSG_CLOEXEC);
    const struct cmsghdr *c = CMSG_FIRSTHDR(&msg);
    *fd = -1;
    if (got > 0 && c && c->cmsg_type == SCM_RIGHTS)
        memcpy(fd, CMSG_DATA(c), sizeof *fd);
    return got > 0 && sym_bfd_all(SOCK, (char *)q + got, sizeof *q - (size_t)got, false);
}

static bfd *sym_open_bfd(const char *name, int fd)
{
    bfd *b = bfd_fdopenr(name, NULL, fd);
    if (!b)
        return NULL;
    b->flags |= BFD_DECOMPRESS;
    return bfd_check_format(b, bfd_object) ? b : NULL;
}

static asection *sym_section_at(bfd *b, uint64_t vaddr)
{
    for (asection *s = b->sections; s; s = s->next)
        if (s->flags & SEC_CODE && vaddr >= s->vma && vaddr - s->vma < s->size)
            return s;
    return NULL;
}

static bool sym_bfd_say(struct answer *a, const char *file, const char *inlined)
{
    a->len = file ? (uint32_t)strlen(file) : 0;
    a->inlined = inlined ? (uint32_t)strlen(inlined) : 0;
    return sym_bfd_all(SOCK, a, sizeof *a, true) &&
           sym_bfd_all(SOCK, (void *)(uintptr_t)file, a->len, true) &&
           sym_bfd_all(SOCK, (void *)(uintptr_t)inlined, a->inlined, true);
}

static bool sym_bfd_answer(bfd *b, uint64_t vaddr)
{
    static asymbol *none[1]; /* libbfd decompresses sections only if it has a symbol table */
    const char *file = NULL, *function = NULL, *in, *outer;
    unsigned line = 0, call;
    asection *s = b ? sym_section_at(b, vaddr) : NULL;
    struct answer a = { 0 };
    if (!s || !bfd_find_nearest_line(b, s, none, vaddr - s->vma, &file, &function, &line) ||
        !file || !line)
        return sym_bfd_say(&a, NULL, NULL);
    a.line = line;
    return sym_bfd_say(&a, file, bfd_find_inliner_info(b, &in, &outer, &call) ? function : NULL);
}

static bool sym_answer_begin(bfd *b, uint64_t vaddr, const char *function)
{
    static asymbol *none[1];
    const char *file = NULL;
    unsigned line = 0;
    asection *s = b ? sym_section_at(b, vaddr) : NULL;
    asymbol sym = { .the_bfd = b, .name = function, .flags = BSF_FUNCTION | BSF_GLOBAL };
    struct answer a = { 0 };
    if (s) {
        sym.section = s;
        sym.value = vaddr - s->vma;
        if (bfd_find_line(b, none, &sym, &file, &line) && file)
            a.line = line;
    }
    return sym_bfd_say(&a, a.line ? file : NULL, NULL);
}

struct telling {
    const char *source;
    char last[PATH_MAX];
    bool good;
};

static void sym_tell_row(const struct row *r, void *arg)
{
    struct telling *t = arg;
    char path[PATH_MAX];
    struct answer a = { .line = r->line, .vaddr = r->vaddr, .end = r->end };
    if (!t->good || strcmp(ez_base_name(r->path[2]), t->source))
        return;
    int n = snprintf(path, sizeof path, "%s%s%s%s%s", r->path[0], *r->path[0] ? "/" : "",
                     r->path[1], *r->path[1] ? "/" : "", r->path[2]);
    if (n < 0 || (size_t)n >= sizeof path)
        return;
    bool same = !strcmp(path, t->last);
    memcpy(t->last, path, (size_t)n + 1);
    t->good = sym_bfd_say(&a, same ? NULL : path, NULL);
}

static struct rows_part sym_bfd_contents(bfd *b, const char *name)
{
    bfd_byte *data = NULL;
    asection *s = bfd_get_section_by_name(b, name);
    if (!s || !bfd_get_full_section_contents(b, s, &data) || !data)
        return (struct rows_part){ 0 };
    return (struct rows_part){ data, s->size };
}

static void sym_bfd_read_rows(bfd *b, rows_fn *fn, void *arg)
{
    if (!b)
        return;
    struct rows_in in = { sym_bfd_contents(b, ".debug_line"), sym_bfd_contents(b, ".debug_str"),
                          sym_bfd_contents(b, ".debug_line_str") };
    symrows_read(&in, fn, arg);
    free((void *)(uintptr_t)in.line.data);
    free((void *)(uintptr_t)in.str.data);
    free((void *)(uintptr_t)in.line_str.data);
}

static bool sym_answer_rows(bfd *b, const char *source)
{
    struct telling t = { .source = source, .good = true };
    sym_bfd_read_rows(b, sym_tell_row, &t);
    return t.good && sym_bfd_say(&(struct answer){ 0 }, NULL, NULL);
}

struct looking {
    bfd *b;
    const char *name;
    clock_t end;
    bool good;
};

static bool sym_is_named(const char *function, const char *name)
{
    EZ_FREE char *bare = strcmp(function, name) ? bfd_demangle(NULL, function, 0) : NULL;
    return !strcmp(bare ? bare : function, name);
}

/* Answers with the row if it is in the wanted function, or if the function is inlined there. */
static void sym_look_row(const struct row *r, void *arg)
{
    static asymbol *none[1];
    struct looking *l = arg;
    const char *file, *in = NULL;
    unsigned line;
    asection *s = l->good && clock() < l->end ? sym_section_at(l->b, r->vaddr) : NULL;
    bool more = s && bfd_find_nearest_line(l->b, s, none, r->vaddr - s->vma, &file, &in, &line);
    for (bool here = false; more && in && !here;
         more = bfd_find_inliner_info(l->b, &file, &in, &line))
        if ((here = sym_is_named(in, l->name)))
            l->good = sym_bfd_say(&(struct answer){ .line = 1, .vaddr = r->vaddr }, NULL, NULL);
}

static bool sym_answer_into(bfd *b, const char *name)
{
    struct looking l = { b, name, clock() + LOOK, true };
    sym_bfd_read_rows(b, sym_look_row, &l);
    return l.good && sym_bfd_say(&(struct answer){ 0 }, NULL, NULL);
}

static _Noreturn void sym_bfd_serve(int sock)
{
    struct question q;
    EZ_VEC(bfd *) file = { 0 };
    int fd;
    sym_bfd_confine(sock);
    bfd_init();
    while (sym_bfd_receive(&q, &fd)) {
        uint64_t *vaddr = ez_alloc((q.n + 1) * sizeof *vaddr);
        sym_bfd_live(ANSWER_S, WAIT_S);
        while (file.n <= q.object)
            EZ_PUSH(&file, NULL);
        if (fd >= 0)
            file.at[q.object] = sym_open_bfd(ez_strdup(q.name), fd);
        bool go_on = sym_bfd_all(SOCK, vaddr, q.n * sizeof *vaddr, false);
        q.text[sizeof q.text - 1] = 0;
        if (go_on && q.what == OF)
            go_on = sym_answer_rows(file.at[q.object], q.text);
        if (go_on && q.what == INTO)
            go_on = sym_answer_into(file.at[q.object], q.text);
        for (uint32_t i = 0; go_on && i < q.n; i++) {
            go_on = q.what == AT ? sym_bfd_answer(file.at[q.object], vaddr[i])
                                 : sym_answer_begin(file.at[q.object], vaddr[i], q.text);
            sym_bfd_live(ANSWER_S, WAIT_S);
        }
        sym_bfd_live(0, 0);
        free(vaddr);
        if (!go_on)
            break;
    }
    _exit(0);
}

/* ---- here ---------------------------------------------------------------------------------- */

static struct {
    int sock; /* 0 = there is no server                                         */
    uint32_t number, objects;
} server;

static void sym_bfd_start(void)
{
    int sv[2];
    siginfo_t si;
    if (server.sock || socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, sv))
        return;
    pid_t pid = fork();
    if (!pid) {
        if (!fork())
            sym_bfd_serve(sv[1]);
        _exit(0);
    }
    close(sv[1]);
    while (pid > 0 && waitid(P_PID, (id_t)pid, &si, WEXITED) && errno == EINTR)
        ;
    server.sock = sv[0];
    server.number++;
    server.objects = 0;
}

/* The file that has the lines: the object's own, or the debug file. */
static const struct elf_file *sym_with_lines(struct ez_object *o)
{
    bool own = elf_named(&o->elf, ".debug_line") || elf_named(&o->elf, ".zdebug_line");
    if (!own && !o->debug.file)
        symdebug_open(o);
    return !own && o->debug.file ? &o->debug : &o->elf;
}

static bool sym_bfd_ask(struct ez_object *o, uint32_t what, const char *text, const uint64_t *vaddr,
                        size_t n)
{
    const struct elf_file *f = sym_with_lines(o);
    struct question q = { .what = what, .n = (uint32_t)n };
    char control[CMSG_SPACE(sizeof(int))] = { 0 };
    struct iovec iov = { &q, sizeof q };
    struct msghdr msg = { .msg_iov = &iov, .msg_iovlen = 1 };
    EZ_CLOSE int fd = -1;
    if (o->server != server.number) {
        o->server = server.number;
        o->in_server = server.objects++;
        if ((fd = ez_foreign_dup(f->file)) < 0)
            return false;
        msg.msg_control = control;
        msg.msg_controllen = sizeof control;
        struct cmsghdr *c = CMSG_FIRSTHDR(&msg);
        *c = (struct cmsghdr){ CMSG_LEN(sizeof fd), SOL_SOCKET, SCM_RIGHTS };
        memcpy(CMSG_DATA(c), &fd, sizeof fd);
    }
    q.object = o->in_server;
    /* libbfd may look only for what dwz took out of a debug file */
    const char *name = f == &o->debug ? ez_foreign_path(f->file) : "/nonexistent/program";
    snprintf(q.name, sizeof q.name, "%s", strlen(name) < sizeof q.name ? name : "/nonexistent");
    snprintf(q.text, sizeof q.text, "%s", text);
    return sendmsg(server.sock, &msg, MSG_NOSIGNAL) == sizeof q &&
           sym_bfd_all(server.sock, (void *)(uintptr_t)vaddr, n * sizeof *vaddr, true);
}

static bool sym_bfd_received(void *buf, size_t n)
{
    struct pollfd p = { server.sock, POLLIN, 0 };
    int got = 1;
    while (n && (got = poll(&p, 1, SILENCE_MS)) < 0 && errno == EINTR)
        ;
    return got > 0 && sym_bfd_all(server.sock, buf, n, false);
}

/* Keeps one copy of each name. */
static const char *sym_keep_name(struct ez_object *o, const char *name)
{
    for (size_t i = o->files.n; i--;)
        if (!strcmp(o->files.at[i], name))
            return o->files.at[i];
    const char *copy = sym_keep(o, ez_strdup(name));
    EZ_PUSH(&o->files, copy);
    return copy;
}

static bool sym_heard_name(struct ez_object *o, size_t len, const char **out)
{
    char name[MANGLED];
    *out = NULL;
    if (len >= sizeof name || !sym_bfd_received(name, len))
        return false;
    name[len] = 0;
    if (len)
        *out = sym_keep_name(o, name);
    return true;
}

static bool sym_heard_answer(struct ez_object *o, struct answer *a, struct line_entry *e)
{
    if (!sym_bfd_received(a, sizeof *a) || !sym_heard_name(o, a->len, &e->file) ||
        !sym_heard_name(o, a->inlined, &e->inlined))
        return false;
    e->line = a->line;
    return true;
}

/* If the answer did not come, the file is not asked about again, and the server ends. */
static bool sym_bfd_result(struct ez_object *o, bool good)
{
    if (!good) {
        o->lines_lost = true;
        close(server.sock);
        server.sock = 0;
    }
    return good;
}

bool symbfd_lines(struct ez_object *o, const uint64_t *vaddr, size_t n, struct line_entry *out)
{
    struct answer a;
    if (o->lines_lost || !o->elf.is64)
        return false;
    sym_bfd_start();
    bool good = server.sock && sym_bfd_ask(o, AT, "", vaddr, n);
    for (size_t i = 0; i < n && good; i++) {
        out[i] = (struct line_entry){ .vaddr = vaddr[i] };
        good = sym_heard_answer(o, &a, &out[i]);
    }
    return sym_bfd_result(o, good);
}

bool symbfd_begin(struct ez_object *o, const struct ez_sym *s, struct line_entry *out)
{
    struct answer a;
    if (o->lines_lost || !o->elf.is64)
        return false;
    sym_bfd_start();
    *out = (struct line_entry){ .vaddr = s->vaddr };
    return sym_bfd_result(o, server.sock && sym_bfd_ask(o, BEGIN, s->name, &s->vaddr, 1) &&
                                 sym_heard_answer(o, &a, out)) &&
           out->line;
}

static bool sym_bfd_rows(struct ez_object *o, uint32_t what, const char *text,
                         struct line_rows *out)
{
    struct answer a;
    const char *file = NULL;
    if (o->lines_lost || !o->elf.is64)
        return false;
    sym_bfd_start();
    bool good = server.sock && sym_bfd_ask(o, what, text, NULL, 0);
    while (good) {
        struct line_entry e = { 0 };
        good = sym_heard_answer(o, &a, &e) && out->n < ROWS;
        if (!good || !a.line)
            break;
        file = e.file ? e.file : file;
        e.file = file;
        e.vaddr = a.vaddr;
        e.end = a.end;
        if (file || what == INTO)
            EZ_PUSH(out, e);
    }
    return sym_bfd_result(o, good);
}

bool symbfd_rows(struct ez_object *o, const char *source, struct line_rows *out)
{
    return sym_bfd_rows(o, OF, source, out);
}

bool symbfd_inlined(struct ez_object *o, const char *name, struct line_rows *out)
{
    return sym_bfd_rows(o, INTO, name, out);
}
