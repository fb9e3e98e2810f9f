/* SPDX-License-Identifier: GPL-3.0-or-later */
/* restorer.c - the block of code in which a thread makes an injected call, and which restores the
 * thread's registers even if the shell is dead (engine/inferior/restorer.c).
 *
 * The block pops no word that a signal handler could have overwritten. It addresses its data
 * relative to the pc, so it can run at any address that is readable and executable. Each `call` has
 * a `ret`, as shadow stacks require.
 * Source: Linux arch/x86/kernel/signal.c (restarts); SDM volume 1, 13.8 (XRSTOR; ptrace returns the
 * standard format).
 * Tests: tests/unit/arch/check_restorer.c */
#include "arch/x86_64/user.h"

#include <signal.h>
#include <string.h>
#include <sys/user.h>

#define RESTART_SYSCALL 219
#define BLOCK_WORDS (EZ_RESTORER_BYTES / 2) /* offset of the data in the block, behind the code */

/* Returns the registers r as the kernel changes them to restart an interrupted system call: the
 * call begins again, or continues by restart_syscall (ERESTART_RESTARTBLOCK). Clears the trap flag.
 * If no system call is to be restarted, changes nothing else. */
static struct user_regs_struct restorer_restarted(const struct ez_regs *r)
{
    struct user_regs_struct u;
    memcpy(&u, r, sizeof u);
    int64_t rax = (int64_t)u.rax;
    if ((int64_t)u.orig_rax >= 0 && rax <= -512 && rax >= -516 && rax != -515) {
        u.rax = rax == -516 ? RESTART_SYSCALL : u.orig_rax;
        u.rip -= 2;
    }
    u.eflags &= ~X64_TF;
    return u;
}

struct words { /* the data in the block */
    unsigned long long reg[16], flags, rip, mask, func;
};
_Static_assert(BLOCK_WORDS + sizeof(struct words) <= EZ_RESTORER_SPARE, "");

struct block {
    uint8_t *code; /* address of the next instruction to write */
    /* address of the 16 general registers, in the order of their numbers in instructions */
    uint8_t *reg;
    uint8_t *flags, *rip, *mask, *func, *end;
};

static struct block restorer_block_data(uint8_t *at, const struct ez_restorer *a)
{
    struct user_regs_struct u = restorer_restarted(a->back);
    const unsigned long long reg[16] = { u.rax, u.rcx, u.rdx, u.rbx, u.rsp, u.rbp, u.rsi, u.rdi,
                                         u.r8,  u.r9,  u.r10, u.r11, u.r12, u.r13, u.r14, u.r15 };
    struct block b = { .code = at, .reg = at + BLOCK_WORDS, .end = at + EZ_RESTORER_BYTES };
    b.flags = b.reg + sizeof reg;
    b.rip = b.flags + 8;
    b.mask = b.rip + 8;
    b.func = b.mask + 8;
    memset(at, 0xcc, EZ_RESTORER_BYTES);
    memcpy(b.reg, reg, sizeof reg);
    memcpy(b.flags, &u.eflags, 8);
    memcpy(b.rip, &u.rip, 8);
    memcpy(b.mask, &a->mask, 8);
    memcpy(b.func, &a->func, 8);
    return b;
}

static void restorer_put(struct block *b, const char *code, size_t n)
{
    memcpy(b->code, code, n);
    b->code += n;
}

static void restorer_put_rip_relative(struct block *b, const char *op, size_t n,
                                      const uint8_t *word)
{
    restorer_put(b, op, n);
    int32_t disp = (int32_t)(word - (b->code + 4));
    restorer_put(b, (const char *)&disp, 4);
}

/* Writes the code after a system call that copies the process (fork). The child calls
 * exit_group(0). The parent calls wait4 for the child, so that no zombie remains (unless the shell
 * changes the parent's pc before). */
static void put_copy(struct block *b)
{
    restorer_put(b, "\x85\xc0\x75\x09", 4); /* test %eax,%eax; jnz parent */
    restorer_put(b, "\xb8\xe7\0\0\0\x31\xff\x0f\x05",
                 9); /* mov $231,%eax; xor %edi,%edi; syscall */
    restorer_put(b, "\x89\xc7\x31\xf6\xba\0\0\0\x40", 9); /* mov %eax,%edi; xor %esi,%esi; __WALL */
    restorer_put(b, "\x45\x31\xd2\xb8\x3d\0\0\0\x0f\x05", 10); /* xor %r10d,%r10d; wait4 */
}

static void put_call(struct block *b)
{
    restorer_put(b, "\x48\x8d\x64\x24\xf8", 5);           /* lea -8(%rsp),%rsp: aligns the stack */
    restorer_put_rip_relative(b, "\xff\x15", 2, b->func); /* call *func(%rip) */
    restorer_put(b, "\x49\x89\xc0\x49\x89\xd1", 6);       /* mov %rax,%r8; mov %rdx,%r9 */
}

static void put_mask(struct block *b)
{
    restorer_put(b, "\xb8\x0e\0\0\0\xbf\x02\0\0\0", 10); /* mov $14,%eax; mov $SIG_SETMASK,%edi */
    restorer_put_rip_relative(b, "\x48\x8d\x35", 3, b->mask); /* lea mask(%rip),%rsi */
    restorer_put(b, "\x31\xd2\x41\xba\x08\0\0\0\x0f\x05",
                 10); /* xor %edx,%edx; mov $8,%r10d; syscall */
}

static void restorer_put_extended(struct block *b)
{
    restorer_put(b, "\xb8\xff\xff\xff\xff\x89\xc2", 7);          /* mov $-1,%eax; mov %eax,%edx */
    restorer_put_rip_relative(b, "\x48\x0f\xae\x2d", 4, b->end); /* xrstor64 end(%rip) */
}

static void restorer_put_back(struct block *b)
{
    for (unsigned i = 0; i < 16; i++) { /* mov word(%rip),%reg */
        char mov[3] = { (char)(i < 8 ? 0x48 : 0x4c), (char)0x8b, (char)(0x05 | (i & 7) << 3) };
        restorer_put_rip_relative(b, mov, 3, b->reg + 8 * i);
    }
    /* lea -128(%rsp),%rsp: below the red zone */
    restorer_put(b, "\x48\x8d\x64\x24\x80", 5);
    restorer_put_rip_relative(b, "\xff\x35", 2, b->flags);      /* push flags(%rip) */
    restorer_put(b, "\x9d\x48\x8d\xa4\x24\x80\x00\x00\x00", 9); /* popf; lea 128(%rsp),%rsp */
    restorer_put_rip_relative(b, "\xff\x25", 2, b->rip);        /* jmp *rip(%rip) */
}

void x64_restorer(uint8_t block[EZ_RESTORER_BYTES], const struct ez_restorer *a)
{
    struct block b = restorer_block_data(block, a);
    if (a->what == EZ_RESTORED_CALL)
        put_call(&b);
    else
        restorer_put(&b, "\x0f\x05", 2);
    if (a->what == EZ_RESTORED_COPY)
        put_copy(&b);
    put_mask(&b);
    if (a->what == EZ_RESTORED_CALL)
        restorer_put_extended(&b);
    restorer_put_back(&b);
}

uint64_t x64_restored_result(const struct ez_regs *r)
{
    struct user_regs_struct u;
    memcpy(&u, r, sizeof u);
    return u.r8;
}

void x64_restored_left(struct ez_regs *r)
{
    struct user_regs_struct u;
    memcpy(&u, r, sizeof u);
    u.rax = u.r8;
    u.rdx = u.r9;
    memcpy(r, &u, sizeof u);
}

enum ez_restored x64_restorer_left(const uint8_t block[EZ_RESTORER_BYTES])
{
    if (!memcmp(block, "\x0f\x05\xb8\x0e", 4))
        return EZ_RESTORED_SYSCALL;
    return memcmp(block, "\x0f\x05\x85\xc0\x75\x09", 6) ? EZ_RESTORED_NOTHING : EZ_RESTORED_COPY;
}

void x64_restorer_home(const uint8_t block[EZ_RESTORER_BYTES], struct ez_regs *r, uint64_t *mask)
{
    struct user_regs_struct *u = (void *)r;
    struct words w;
    memcpy(&w, block + BLOCK_WORDS, sizeof w);
    unsigned long long *const reg[16] = { &u->rax, &u->rcx, &u->rdx, &u->rbx, &u->rsp, &u->rbp,
                                          &u->rsi, &u->rdi, &u->r8,  &u->r9,  &u->r10, &u->r11,
                                          &u->r12, &u->r13, &u->r14, &u->r15 };
    for (size_t i = 0; i < EZ_ARRAY_LEN(reg); i++)
        *reg[i] = w.reg[i];
    u->eflags = w.flags;
    u->rip = w.rip;
    u->orig_rax = (uint64_t)-1; /* no system call to restart */
    *mask = w.mask;
}

/* ---- the SIGTRAP handler of engine/inferior/guard.c ------------------------------------------ */

#define GUARD_RESTORER 40
#define GUARD_OLD 48
#define SA_RESTORER 0x04000000

void x64_step_guard(uint8_t code[EZ_GUARD_BYTES], uint64_t at, uint64_t old)
{
    const uint64_t action[4] = { at, SA_SIGINFO | SA_RESTORER, at + GUARD_RESTORER, 0 };
    struct block b = { .code = code };
    memset(code, 0xcc, EZ_GUARD_BYTES);
    restorer_put(&b, "\x8b\x46\x08\x8d\x48\xff", 6); /* mov 8(%rsi),%eax; lea -1(%rax),%ecx */
    restorer_put(&b, "\x83\xf9\x01\x76\x05", 5);     /* cmp $1,%ecx: TRAP_BRKPT, _TRACE? jbe */
    restorer_put(&b, "\x83\xf8\x06\x75\x0b", 5);     /* cmp $TRAP_PERF,%eax; jne */
    restorer_put(&b, "\x81\xa2\xb0\0\0\0\xff\xfe\xff\xff\xc3",
                 11); /* andl $~TF,176(%rdx): eflags; ret */
    if (old > 1)
        restorer_put_rip_relative(&b, "\xff\x25", 2, code + GUARD_OLD); /* jmp *old(%rip) */
    else
        restorer_put(&b, "\xc3", 1);
    memcpy(code + GUARD_RESTORER, "\xb8\x0f\0\0\0\x0f\x05", 7); /* mov $15,%eax; syscall */
    memcpy(code + GUARD_OLD, &old, 8);
    memcpy(code + EZ_GUARD_ACTION, action, sizeof action);
}

uint64_t x64_unmangle(uint64_t word, uint64_t guard)
{
    return (word >> 17 | word << 47) ^ guard;
}

void x64_pass_break(struct ez_regs *r, bool pass)
{
    struct user_regs_struct *u = (void *)r;
    u->eflags = pass ? u->eflags | X64_RF : u->eflags & ~X64_RF;
}

/* Matches [endbr64;] push %rbp; mov %rsp,%rbp. */
bool x64_begins_frame(const uint8_t *code, size_t n)
{
    size_t at = n >= 4 && !memcmp(code, "\xf3\x0f\x1e\xfa", 4) ? 4 : 0; /* endbr64 */
    return n >= at + 4 &&
           (!memcmp(code + at, "\x55\x48\x89\xe5", 4) || !memcmp(code + at, "\x55\x48\x8b\xec", 4));
}

bool x64_clear_trap_flag(struct ez_regs *r)
{
    struct user_regs_struct *u = (void *)r;
    bool was = u->eflags & X64_TF;
    u->eflags &= ~X64_TF;
    return was;
}

unsigned x64_pushes_flags(const uint8_t *code, size_t n)
{
    size_t at = 0;
    unsigned bytes = 8;
    for (; at < n && (code[at] == 0x66 || (code[at] & 0xf0) == 0x40); at++)
        bytes = code[at] == 0x66 ? 2 : bytes;
    return at < n && code[at] == 0x9c ? bytes : 0;
}
