/* SPDX-License-Identifier: MIT */
/* p_regs.c - callers that rely on registers over calls of functions whose bodies they know, as
 * gcc -fipa-ra makes them: each register that a call may change must be as before, unless the
 * function sets it. Their replacements (libreplace.so:spoil) change them all.
 * Run on a usual stack, on one whose end is near, and with the high halves of vector registers in
 * use. Prints "right", or what changed. */
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>

struct regs {      /* offsets are known below */
    uint64_t g[9]; /* rax rcx rdx rsi rdi r8 r9 r10 r11 */
    uint64_t pad;
    uint8_t v[16][32];
};
static const char *const name[] = { "rax", "rcx", "rdx", "rsi", "rdi", "r8", "r9", "r10", "r11" };

/* set_none: nothing; set_ax: rax; set_ax_dx; set_x0; set_x01. */
__asm__(".text\n"
        ".globl set_none, set_ax, set_ax_dx, set_x0, set_x01\n"
        ".type set_none,@function\n.type set_ax,@function\n.type set_ax_dx,@function\n"
        ".type set_x0,@function\n.type set_x01,@function\n"
        ".balign 16\nset_none: nop\nnop\nnop\nnop\nnop\nnop\nret\n.size set_none,.-set_none\n"
        ".balign 16\nset_ax: mov $1,%eax\nnop\nret\n.size set_ax,.-set_ax\n"
        ".balign 16\nset_ax_dx: mov $1,%eax\nmov $2,%edx\nret\n.size set_ax_dx,.-set_ax_dx\n"
        ".balign 16\nset_x0: pxor %xmm0,%xmm0\nnop\nret\n.size set_x0,.-set_x0\n"
        ".balign 16\nset_x01: pxor %xmm0,%xmm0\npxor %xmm1,%xmm1\nret\n.size set_x01,.-set_x01\n");

/* call_F(in, out, wide): load all registers, call F, store all. */
#define LOADG                                                                                      \
    "mov 0(%rbx),%rax\nmov 8(%rbx),%rcx\nmov 16(%rbx),%rdx\nmov 24(%rbx),%rsi\n"                   \
    "mov 32(%rbx),%rdi\nmov 40(%rbx),%r8\nmov 48(%rbx),%r9\nmov 56(%rbx),%r10\nmov "               \
    "64(%rbx),%r11\n"
#define STOREG                                                                                     \
    "mov %rax,0(%r12)\nmov %rcx,8(%r12)\nmov %rdx,16(%r12)\nmov %rsi,24(%r12)\n"                   \
    "mov %rdi,32(%r12)\nmov %r8,40(%r12)\nmov %r9,48(%r12)\nmov %r10,56(%r12)\nmov "               \
    "%r11,64(%r12)\n"
#define CALLER(f)                                                                                  \
    extern void call_##f(const struct regs *in, struct regs *out, int wide);                       \
    __asm__(                                                                                       \
        ".globl call_" #f "\n.type call_" #f ",@function\ncall_" #f ":\n"                          \
        "push %rbx\npush %r12\npush %r13\nmov %rdi,%rbx\nmov %rsi,%r12\nmov %edx,%r13d\n"          \
        "test %r13d,%r13d\njnz 1f\n"                                                               \
        ".irp n,0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15\nmovups 80+32*\\n(%rbx),%xmm\\n\n.endr\n"    \
        "jmp 2f\n1:.irp n,0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15\n"                                 \
        "vmovups 80+32*\\n(%rbx),%ymm\\n\n.endr\n2:" LOADG "call " #f "\n" STOREG                  \
        "test %r13d,%r13d\njnz 1f\n"                                                               \
        ".irp n,0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15\nmovups %xmm\\n,80+32*\\n(%r12)\n.endr\n"    \
        "jmp 2f\n1:.irp n,0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15\n"                                 \
        "vmovups %ymm\\n,80+32*\\n(%r12)\n.endr\nvzeroupper\n"                                     \
        "2:pop %r13\npop %r12\npop %rbx\nret\n.size call_" #f ",.-call_" #f "\n");
CALLER(set_none)
CALLER(set_ax)
CALLER(set_ax_dx)
CALLER(set_x0)
CALLER(set_x01)

static const struct {
    const char *name;
    void (*call)(const struct regs *, struct regs *, int);
    unsigned g, v; /* masks of registers that are set: not looked at but for the results */
} cases[] = { { "set_none", call_set_none, 0, 0 },
              { "set_ax", call_set_ax, 1, 0 },
              { "set_ax_dx", call_set_ax_dx, 5, 0 },
              { "set_x0", call_set_x0, 0, 1 },
              { "set_x01", call_set_x01, 0, 3 } };
enum { NCASES = sizeof cases / sizeof *cases };

static int wrong, replaced;

static void look(unsigned c, int wide, const char *stack)
{
    struct regs in, out;
    for (size_t i = 0; i < sizeof in; i++)
        ((uint8_t *)&in)[i] = (uint8_t)(i * 7 + c + 1);
    memset(&out, 0, sizeof out);
    cases[c].call(&in, &out, wide);
    for (unsigned i = 0; i < 9; i++)
        if (!(cases[c].g >> i & 1) && in.g[i] != out.g[i]) {
            printf("%s %s, %s: %s changed\n", cases[c].name, wide ? "wide" : "plain", stack,
                   name[i]);
            wrong = 1;
        }
    for (unsigned i = 0; i < 16; i++)
        if (!(cases[c].v >> i & 1) && memcmp(in.v[i], out.v[i], wide ? 32 : 16)) {
            printf("%s %s, %s: vector %u changed\n", cases[c].name, wide ? "wide" : "plain", stack,
                   i);
            wrong = 1;
        }
    /* spoil returns 42, 43 and vectors of 44 and 45 */
    if (replaced &&
        ((cases[c].g & 1 && out.g[0] != 42) || (cases[c].g & 4 && out.g[2] != 43) ||
         (cases[c].v & 1 && out.v[0][0] != 44) || (cases[c].v & 2 && out.v[1][15] != 45))) {
        printf("%s, %s: another result\n", cases[c].name, stack);
        wrong = 1;
    }
}

static void on_all(const char *stack)
{
    for (unsigned c = 0; c < NCASES; c++) {
        look(c, 0, stack);
        if (__builtin_cpu_supports("avx"))
            look(c, 1, stack);
        look(c, 0, stack);
    }
}

/* The stack's end is unmapped; `gap` bytes lie between the first frame and it. */
static void on_short_stack(size_t gap)
{
    enum { SIZE = 65536 };
    char *at = mmap(NULL, SIZE + 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    munmap(at + SIZE, 4096);
    static struct regs in, out;
    uintptr_t sp = (uintptr_t)(at + SIZE - gap) & ~15ul;
    for (size_t i = 0; i < sizeof in; i++)
        ((uint8_t *)&in)[i] = (uint8_t)(i * 3 + 1);
    __asm__ volatile("mov %%rsp,%%r14\nmov %[sp],%%rsp\ncall call_set_ax\nmov %%r14,%%rsp\n"
                     :
                     : [sp] "r"(sp), "D"(&in), "S"(&out), "d"(0)
                     : "rax", "rcx", "r8", "r9", "r10", "r11", "r14", "memory", "cc", "xmm0",
                       "xmm1", "xmm2", "xmm3", "xmm4", "xmm5", "xmm6", "xmm7", "xmm8", "xmm9",
                       "xmm10", "xmm11", "xmm12", "xmm13", "xmm14", "xmm15");
    for (unsigned i = 1; i < 9; i++)
        if (in.g[i] != out.g[i]) {
            printf("short stack of %zu: %s changed\n", gap, name[i]);
            wrong = 1;
        }
    munmap(at, SIZE);
}

int main(int argc, char **argv)
{
    replaced = argc > 1;
    (void)argv;
    on_all("a usual stack");
    for (size_t gap = 16; gap < 600; gap += 16)
        on_short_stack(gap);
    puts(wrong ? "wrong" : "right");
    return wrong;
}
