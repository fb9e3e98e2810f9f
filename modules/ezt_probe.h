/* SPDX-License-Identifier: MIT */
/* ezt_probe.h - the target's side of a module: everything that replacement functions need.
 *
 * A module is a shared object with functions that replace others, and a description of itself.
 * eztsh loads the module into a process, writes `ezt_rt` and each function's pointer to the
 * original, and only then makes a function lead to its replacement:
 *
 *  #include <ezt_probe.h>
 *
 *  EZT_MODULE("disk", 0x20, "what the program writes")
 *  EZT_EVENT(1, "push", "thread", "Writing")
 *  EZT_EVENT(2, "pop", "thread", "")
 *  EZT_REPLACE("write", my_write, orig_write)
 *
 *  EZT_ORIG ssize_t (*orig_write)(int, const void *, size_t);
 *
 *  EZT_EXPORT ssize_t my_write(int fd, const void *buf, size_t n)
 *  {
 *      ezt_event0(1);
 *      ssize_t done = orig_write(fd, buf, n);
 *      ezt_event0(2);
 *      return done;
 *  }
 *
 * This header needs no libc and no library, is C11 and C++11, and may be used in signal handlers,
 * inside malloc, before libc is ready. An event has 0 to EZT_MAX_WORDS words. An event is written
 * to the ring of the calling thread as the record of a probe is: reserved, then committed. The
 * accounting counts the event, whether it is recorded or not.
 *
 * NESTING. Functions that a replacement itself calls (not those that the original calls) may be
 * replaced, too, which would recurse without end. A replacement that calls anything except the
 * original guards itself:
 *
 *  struct ezt_frame f;
 *  if (!ezt_enter(&f))
 *      return orig_write(fd, buf, n);  // called by a replacement's own code: not recorded
 *  ezt_event1(1, (uint64_t)lseek(fd, 0, SEEK_CUR));
 *  ezt_out(&f);                        // the guard is off in the original
 *  ssize_t done = orig_write(fd, buf, n);
 *  ezt_in(&f);
 *  ezt_leave(&f);
 *
 * The guard belongs to the thread and compares stack addresses, so that it survives a longjmp or an
 * exception that leaves the original (none may leave the replacement's own code). Calls that the
 * guard excluded are counted.
 *
 * DESCRIPTION. Each EZT_* line below makes one text in the section ".ezt.module" of the file:
 * `key=value`, parts of a value separated by tabs. Functions and pointers are named by their
 * symbols in the file's symbol table, so EZT_EXPORT and EZT_ORIG are needed. */
#ifndef EZT_PROBE_H
#define EZT_PROBE_H

#include <stdint.h>

#define EZT_ABI 1 /* version of struct ezt_rt and of the description; eztsh refuses others */
#define EZT_MAX_WORDS 32
#define EZT_ID_MIN 0x10 /* range of modules' IDs, ends included */
#define EZT_ID_MAX 0xff
#define EZT_EVENT_MAX 0xffff /* maximum number of a module's event; numbers begin with 0 */

#ifdef __cplusplus
#define EZT_EXTERN_C extern "C"
#else
#define EZT_EXTERN_C
#endif
/* Protected visibility: eztsh finds the symbol by its name, and within the module the name never
 * means another module's symbol. */
/* attribute for a replacement function */
#define EZT_EXPORT EZT_EXTERN_C __attribute__((visibility("protected")))
/* attribute for the pointer to an original */
#define EZT_ORIG __attribute__((visibility("protected")))

struct ezt_frame { /* the guard, a local variable of a replacement */
    struct ezt_frame *outer;
    void *thread;
};

/* Values that eztsh writes into the module before it replaces any function. Before that and after
 * eztsh has left the process, the functions do nothing. */
struct ezt_rt {
    uint32_t abi, counter;
    uint64_t code; /* code word of event 0 */
    void (*event)(struct ezt_rt *rt, uint64_t event, uint64_t n, const uint64_t *word);
    /* returns 0 if the call is nested, or in a thread without a buffer */
    int (*enter)(struct ezt_rt *rt, struct ezt_frame *f);
    void (*again)(struct ezt_rt *rt, struct ezt_frame *f);
    uint64_t loading; /* differs each time when eztsh connects the module; 0 = never */
    uint64_t room[2];
};
extern struct ezt_rt ezt_rt EZT_ORIG;
extern const struct ezt_rt ezt_rt_none EZT_ORIG; /* what eztsh leaves in ezt_rt */
/* The threads' guards. eztsh uses those of one module for all modules. They are in a module because
 * a module stays loaded: a replacement may return after eztsh has left the process. */
#define EZT_GUARDS 8192
extern uint64_t ezt_guards[EZT_GUARDS] EZT_ORIG;

/* ---- the description ----------------------------------------------------------------- */

#define EZT_PASTE_(a, b) a##b
#define EZT_PASTE(a, b) EZT_PASTE_(a, b)
#define EZT_TEXT_(x) #x
#define EZT_TEXT(x) EZT_TEXT_(x)
#define EZT_DESCRIBE(text)                                                                         \
    __attribute__((section(".ezt.module"), used, aligned(1))) static const char EZT_PASTE(         \
        ezt_text_, __COUNTER__)[] = text;

/* Describes the module. Use it once. ID: a number from EZT_ID_MIN to EZT_ID_MAX. */
#define EZT_MODULE(name, id, desc)                                                                 \
    EZT_DESCRIBE("abi=" EZT_TEXT(EZT_ABI))                                                         \
    EZT_DESCRIBE("name=" name)                                                                     \
    EZT_DESCRIBE("id=" EZT_TEXT(id))                                                               \
    EZT_DESCRIBE("desc=" desc)                                                                     \
    static void ezt_none_event(struct ezt_rt *rt, uint64_t event, uint64_t n,                      \
                               const uint64_t *word)                                               \
    {                                                                                              \
        (void)rt, (void)event, (void)n, (void)word;                                                \
    }                                                                                              \
    static int ezt_none_enter(struct ezt_rt *rt, struct ezt_frame *f)                              \
    {                                                                                              \
        (void)rt, (void)f;                                                                         \
        return 0;                                                                                  \
    }                                                                                              \
    static void ezt_none_again(struct ezt_rt *rt, struct ezt_frame *f)                             \
    {                                                                                              \
        (void)rt, (void)f;                                                                         \
    }                                                                                              \
    const struct ezt_rt ezt_rt_none = EZT_NONE_;                                                   \
    uint64_t ezt_guards[EZT_GUARDS];                                                               \
    struct ezt_rt ezt_rt = EZT_NONE_;
#define EZT_NONE_                                                                                  \
    {                                                                                              \
        EZT_ABI, 0, 0, ezt_none_event, ezt_none_enter, ezt_none_again, 0,                          \
        {                                                                                          \
            0, 0                                                                                   \
        }                                                                                          \
    }

/* Names a function `void f(void)` that eztsh calls each time after it loaded the module, on a thread
 * that holds no lock of the loader or of malloc, with all signals blocked. eztsh writes ezt_rt after
 * this call. If the program has just started, its constructors have not run. */
#define EZT_LOADED(symbol) EZT_DESCRIBE("loaded=" EZT_TEXT(symbol))

/* Replaces the function that the LOCATION names by `with`. The pointer `orig` gets the address of
 * the original. */
#define EZT_REPLACE(location, with, orig)                                                          \
    EZT_DESCRIBE("replace=" location "\t" EZT_TEXT(with) "\t" EZT_TEXT(orig))

/* As EZT_REPLACE, for a function with "...". `names` lists functions with a va_list in place of the
 * "...", separated by blanks ("vf g"). The pointer `twin` gets the address of the first of these
 * that the process has. If the process has none, the function is not replaced. */
#define EZT_REPLACE_VARIADIC(location, with, twin, names)                                          \
    EZT_DESCRIBE("variadic=" location "\t" EZT_TEXT(with) "\t" EZT_TEXT(twin) "\t" names)

/* Defines the meaning of event `number` for the container (level: "thread", "process", "program")
 * in which it happens. action: "push", "pop", "set" a state called `text`; "event": a point in
 * time; "var-set", "var-add", "var-sub": the variable `text`, word 0 is a double (ezt_double);
 * "link-start", "link-end": word 0 is the key of the link; "hold", "release": word 0 is a key, and
 * the variable `text` grows by word 1 of "hold" (an integer) until the key is released; "sample":
 * the words (EZT_WORDS) are counters of the thread, which never shrink (ezt_counters.h); "call",
 * "return", "unwind": the thread enters, returns from, or leaves by an exception a function of
 * another language: the event's subject (EZT_WORDS), whose name is the function's; "name": only
 * names the subject; in the name of a function, a tab is before the file that stands for its
 * library. */
#define EZT_EVENT(number, action, level, text)                                                     \
    EZT_DESCRIBE("event=" EZT_TEXT(number) "\t" action "\t" level "\t" text)

/* Names the words of event `number`, in their order: "name:type", separated by blanks. type: "int",
 * "uint", "hex", "double", "code" (a code address), "data" (a variable's), "text" (all remaining words). One word may be
 * marked as the event's subject, "@lock:data": tables can group events by the subject (`stats -of
 * lock`). A word "name" is different: it and all words after it are the text by which the subject
 * is called from now on; if there are none, the subject has no name any more. */
#define EZT_WORDS(number, text) EZT_DESCRIBE("words=" EZT_TEXT(number) "\t" text)

/* As EZT_WORDS, for a text that is known only at run time: it is in the char array `symbol`
 * (EZT_ORIG) after the module's constructors have run. A text with errors is ignored, as if it were
 * missing. */
#define EZT_WORDS_FROM(number, symbol)                                                             \
    EZT_DESCRIBE("words-from=" EZT_TEXT(number) "\t" EZT_TEXT(symbol))

/* Names a char array with a line that the shell prints after it loaded the module; "" = prints
 * nothing. */
#define EZT_SAYS(symbol) EZT_DESCRIBE("says=" EZT_TEXT(symbol))

/* ---- events ---------------------------------------------------------------------------- */

static inline void ezt_event(uint32_t event, uint32_t n, const uint64_t *word)
{
    ezt_rt.event(&ezt_rt, event, n, word);
}
static inline void ezt_event0(uint32_t event)
{
    ezt_rt.event(&ezt_rt, event, 0, 0);
}
static inline void ezt_event1(uint32_t event, uint64_t a)
{
    uint64_t word[1] = { a };
    ezt_rt.event(&ezt_rt, event, 1, word);
}
static inline void ezt_event2(uint32_t event, uint64_t a, uint64_t b)
{
    uint64_t word[2] = { a, b };
    ezt_rt.event(&ezt_rt, event, 2, word);
}
static inline void ezt_event3(uint32_t event, uint64_t a, uint64_t b, uint64_t c)
{
    uint64_t word[3] = { a, b, c };
    ezt_rt.event(&ezt_rt, event, 3, word);
}
static inline void ezt_event4(uint32_t event, uint64_t a, uint64_t b, uint64_t c, uint64_t d)
{
    uint64_t word[4] = { a, b, c, d };
    ezt_rt.event(&ezt_rt, event, 4, word);
}

/* Returns the bits of a double as a word. */
static inline uint64_t ezt_double(double value)
{
    union {
        double d;
        uint64_t word;
    } u;
    u.d = value;
    return u.word;
}

/* Records an event whose words are a text, 8 bytes a word, padded with NULs. Cuts a text that does
 * not fit into EZT_MAX_WORDS words. */
static inline void ezt_event_text(uint32_t event, const char *text)
{
    union {
        char c[EZT_MAX_WORDS * 8];
        uint64_t word[EZT_MAX_WORDS];
    } u;
    uint32_t n = 0;
    for (; n < sizeof u.c && text[n]; n++)
        u.c[n] = text[n];
    uint32_t words = (n + 7) / 8;
    while (n < words * 8)
        u.c[n++] = 0;
    ezt_rt.event(&ezt_rt, event, words, u.word);
}

/* ---- nesting ------------------------------------------------------------------------------ */

/* Begins a guarded replacement. If it returns 0, call only the original, and none of the functions
 * below. */
static inline int ezt_enter(struct ezt_frame *f)
{
    return ezt_rt.enter(&ezt_rt, f);
}
static inline void ezt_guard_(struct ezt_frame *f, struct ezt_frame *guard)
{
    *(struct ezt_frame *volatile *)f->thread = guard;
}
static inline void ezt_out(struct ezt_frame *f) /* Turns the guard off. Call it before the
                                                 * original. */
{
    ezt_guard_(f, f->outer);
}
/* Turns the guard on again. Call it after the original, which may have returned on another
 * thread. */
static inline void ezt_in(struct ezt_frame *f)
{
    ezt_rt.again(&ezt_rt, f);
}
static inline void ezt_leave(struct ezt_frame *f)
{
    ezt_guard_(f, f->outer);
}

#endif
