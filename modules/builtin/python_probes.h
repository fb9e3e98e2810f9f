/* SPDX-License-Identifier: MIT */
/* python_probes.h - calls of Python functions, told by the interpreter. For python.tpl.
 *
 * HOOKS. Since 3.12 CPython has sys.monitoring: functions that it calls for all threads of an
 * interpreter. Before 3.12 each thread state has one profile function, so a thread gets its hook
 * when the recording starts or, later, before the thread runs. Python calls all hooks with the GIL
 * held, so the variables of this file need no lock.
 *
 * START. In a program that runs, a thread of the module's own waits for the GIL and sets the hooks.
 * The thread that loads the module must not do that: it may hold the GIL, or wait for it, and is in
 * the middle of any function. If eztsh starts the program, the hooks are set when the interpreter
 * is ready (Py_InitializeFromConfig).
 *
 * END. After `module unload` or a detach, ezt_rt.loading is 0: a hook that sees it removes itself.
 *
 * NAMES. The subject of an event is the code object of the function. The module keeps a reference to
 * each code object that it has named, so that no other object gets its address. A name is recorded
 * at the first call, and again after PY_NAME_AGAIN calls, because the first one may be lost: the
 * buffer was full, or `snapshot` writes only the newest events. */
#ifndef PYTHON_PROBES_H
#define PYTHON_PROBES_H

#include <dlfcn.h>
#include <ezt_probe.h>
#include <link.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>

enum { PY_CALL = 1000, PY_RETURN, PY_UNWIND, PY_NAMED, PY_NOT };
EZT_EVENT(1000, "call", "thread", "")
EZT_WORDS(1000, "@function:hex")
EZT_EVENT(1001, "return", "thread", "")
EZT_WORDS(1001, "@function:hex")
EZT_EVENT(1002, "unwind", "thread", "")
EZT_WORDS(1002, "@function:hex")
EZT_EVENT(1003, "name", "thread", "")
EZT_WORDS(1003, "@function:hex name:name")
EZT_EVENT(1004, "event", "thread", "Python functions are not recorded")
EZT_WORDS(1004, "why:text")

enum { PY_NAME_AGAIN = 16384, PY_START_SECONDS = 60 };

/* ---- the interpreter's functions ---------------------------------------------------------- */

/* Python's types, of which only addresses are used: PyObject, PyFrameObject, PyThreadState,
 * PyInterpreterState. */
typedef void py_object;
typedef int py_profile(py_object *self, void *frame, int what, py_object *arg);
typedef py_object *py_fastcall(py_object *self, py_object *const *arg, long n);

/* X(result, name, parameters): functions that CPython exports */
#define PY_FUNCTIONS(X)                                                                            \
    X(const char *, Py_GetVersion, (void))                                                         \
    X(int, Py_IsInitialized, (void))                                                               \
    X(int, PyGILState_Ensure, (void))                                                              \
    X(void, PyGILState_Release, (int))                                                             \
    X(int, PyGILState_Check, (void))                                                               \
    X(void, Py_IncRef, (py_object *))                                                              \
    X(void, Py_DecRef, (py_object *))                                                              \
    X(void, PyErr_Clear, (void))                                                                   \
    X(py_object *, PySys_GetObject, (const char *))                                                \
    X(py_object *, PyObject_GetAttrString, (py_object *, const char *))                            \
    X(py_object *, PyObject_CallFunction, (py_object *, const char *, ...))                        \
    X(py_object *, PyObject_CallMethod, (py_object *, const char *, const char *, ...))            \
    X(int, PyObject_IsTrue, (py_object *))                                                         \
    X(const char *, PyUnicode_AsUTF8, (py_object *))                                               \
    X(long, PyLong_AsLong, (py_object *))                                                          \
    X(void *, PyEval_GetFrame, (void))                                                             \
    X(void *, PyFrame_GetBack, (void *))                                                           \
    X(py_object *, PyFrame_GetCode, (void *))
/* the same for hooks before 3.12 */
#define PY_PROFILE_FUNCTIONS(X)                                                                    \
    X(void *, PyInterpreterState_Main, (void))                                                     \
    X(void *, PyInterpreterState_ThreadHead, (void *))                                             \
    X(void *, PyThreadState_Next, (void *))                                                        \
    X(void *, PyThreadState_Get, (void))                                                           \
    X(int, _PyEval_SetProfile, (void *, py_profile *, py_object *))
/* and since 3.12 */
#define PY_MONITORING_FUNCTIONS(X)                                                                 \
    X(py_object *, PyCFunction_NewEx, (void *, py_object *, py_object *))

#define PY_MEMBER(result, name, parameters) result(*name) parameters;
static struct {
    PY_FUNCTIONS(PY_MEMBER)
    PY_PROFILE_FUNCTIONS(PY_MEMBER)
    PY_MONITORING_FUNCTIONS(PY_MEMBER)
    py_object *none; /* None */
    int minor;       /* 11: Python 3.11; 0: not known */
} py;

static char python_says[128];
EZT_SAYS(python_says)

static inline int python_say(const char *why)
{
    snprintf(python_says, sizeof python_says, "no function of Python is recorded: %s", why);
    return 0;
}

#define PY_FIND(result, name, parameters)                                                          \
    found &= (*(void **)&py.name = dlsym(library, #name)) != NULL;

/* Finds the interpreter's functions in `library`, a handle of dlopen or RTLD_DEFAULT. Returns 0 if
 * there is no interpreter, or one that this module does not know. */
static inline int python_find(void *library)
{
    int found = 1, major = 0;
    python_says[0] = 0;
    PY_FUNCTIONS(PY_FIND)
    if (!py.Py_GetVersion || !py.Py_IsInitialized)
        return python_say("the process has no Python interpreter that exports its functions");
    if (sscanf(py.Py_GetVersion(), "%d.%d", &major, &py.minor) != 2 || major != 3 || py.minor < 9)
        return python_say("CPython 3.9 or later is needed");
    if (py.minor >= 12) {
        PY_MONITORING_FUNCTIONS(PY_FIND)
    } else {
        PY_PROFILE_FUNCTIONS(PY_FIND)
    }
    py.none = dlsym(library, "_Py_NoneStruct");
    return (found && py.none) || python_say("its interpreter exports too few functions");
}

/* Finds the interpreter in the program and in all libraries, also in one that the program loaded with
 * RTLD_LOCAL. */
static inline int python_find_any(void)
{
    int found = python_find(RTLD_DEFAULT);
    const struct link_map *m = py.Py_GetVersion ? NULL : dlopen(NULL, RTLD_NOW);
    for (; m && !found; m = m->l_next) {
        void *library = *m->l_name ? dlopen(m->l_name, RTLD_NOW | RTLD_NOLOAD) : NULL;
        if (library && dlsym(library, "Py_GetVersion"))
            found = python_find(library);
        if (library)
            dlclose(library);
    }
    dlerror(); /* nobody asks for the errors of these searches */
    return found;
}

/* ---- names ---------------------------------------------------------------------------------- */

struct python_code {
    py_object *code;
    uint64_t named; /* value of python_calls when its name was last recorded */
};
static struct {
    struct python_code *at;
    uint64_t room, n; /* room: a power of 2 */
} python_codes;       /* a hash table by address */
static uint64_t python_calls;

static inline struct python_code *python_slot(struct python_code *at, uint64_t room,
                                              const py_object *code)
{
    uint64_t i = (uint64_t)((uintptr_t)code >> 4) * 0x9e3779b97f4a7c15u >> 32;
    while (at[i & (room - 1)].code && at[i & (room - 1)].code != code)
        i++;
    return &at[i & (room - 1)];
}

/* Makes room for one more code object. Returns 0 if there is no memory. */
static inline int python_grow(void)
{
    const uint64_t was = python_codes.room, room = was ? was * 2 : 4096;
    if (python_codes.n < was / 2)
        return 1;
    struct python_code *at =
        mmap(NULL, room * sizeof *at, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (at == MAP_FAILED)
        return 0;
    for (uint64_t i = 0; i < was; i++)
        if (python_codes.at[i].code)
            *python_slot(at, room, python_codes.at[i].code) = python_codes.at[i];
    if (was)
        munmap(python_codes.at, was * sizeof *at);
    python_codes.at = at;
    python_codes.room = room;
    return 1;
}

/* Copies the text attribute `name` of a code object. Returns 0 if it has none. */
static inline int python_text(py_object *code, const char *name, char *to, size_t size)
{
    py_object *o = py.PyObject_GetAttrString(code, name);
    const char *text = o ? py.PyUnicode_AsUTF8(o) : NULL;
    if (text)
        snprintf(to, size, "%s", text);
    else
        py.PyErr_Clear();
    if (o)
        py.Py_DecRef(o);
    return text != NULL;
}

/* Returns the last two parts of a path: "json/decoder.py". */
static inline const char *python_short(const char *path)
{
    const char *at = path + strlen(path);
    for (int parts = 0; at > path; at--)
        if (at[-1] == '/' && ++parts == 2)
            break;
    return at;
}

/* Records the name of a function, and its file: "Decoder.decode:332", "json/decoder.py". */
static inline void python_name(py_object *code)
{
    char function[128] = "?", file[1024] = "?", short_file[96];
    union {
        uint64_t word[EZT_MAX_WORDS];
        char c[EZT_MAX_WORDS * 8];
    } u = { { (uint64_t)(uintptr_t)code } };
    struct ezt_frame f;
    int guard = ezt_enter(&f); /* the interpreter may call malloc, which another module replaces */
    if (!python_text(code, "co_qualname", function, sizeof function)) /* 3.11 and later */
        python_text(code, "co_name", function, sizeof function);
    python_text(code, "co_filename", file, sizeof file);
    py_object *line = py.PyObject_GetAttrString(code, "co_firstlineno");
    snprintf(short_file, sizeof short_file, "%.95s", python_short(file));
    int n = snprintf(u.c + 8, sizeof u.c - 8, "%s:%ld\t%s", function,
                     line ? py.PyLong_AsLong(line) : 0, short_file);
    py.PyErr_Clear();
    if (line)
        py.Py_DecRef(line);
    if (guard)
        ezt_leave(&f);
    ezt_event(PY_NAMED, 1 + ((uint32_t)n + 7) / 8, u.word);
}

/* Records the name of a function that is called, if its name was not recorded lately. */
static inline void python_know(py_object *code)
{
    python_calls++;
    if (!python_grow())
        return;
    struct python_code *c = python_slot(python_codes.at, python_codes.room, code);
    if (c->code && python_calls - c->named < PY_NAME_AGAIN)
        return;
    if (!c->code) {
        py.Py_IncRef(code);
        c->code = code;
        python_codes.n++;
    }
    c->named = python_calls;
    python_name(code);
}

/* Forgets which names were recorded: another trace begins. */
static inline void python_forget_names(void)
{
    python_calls += PY_NAME_AGAIN;
}

static inline int python_wanted(void)
{
    return *(volatile uint64_t *)&ezt_rt.loading != 0;
}

/* ---- events ----------------------------------------------------------------------------------- */

enum { PY_OPEN = 512 }; /* maximum number of open calls that are recorded when a thread begins */

#define PY_THREAD static __thread __attribute__((tls_model("initial-exec")))
PY_THREAD uint64_t python_began;       /* ezt_rt.loading when this thread first had an event */
PY_THREAD py_object *python_outermost; /* the outermost call that was open then; NULL: none */

static inline void python_put(py_object *code, int event)
{
    if (event == PY_CALL)
        python_know(code);
    ezt_event1((uint32_t)event, (uint64_t)(uintptr_t)code);
}

/* Records calls that were made before the thread's first event, and are open: those of `frame`, a
 * reference, and its callers. The outermost call is recorded first. If the module was unloaded and
 * is loaded again, the trace may still have this thread's calls of that time as open: they end. */
static inline void python_open(void *frame)
{
    py_object *code[PY_OPEN];
    int n = 0;
    while (frame) {
        void *back = py.PyFrame_GetBack(frame);
        if (n < PY_OPEN)
            code[n++] = py.PyFrame_GetCode(frame);
        py.Py_DecRef(frame);
        frame = back;
    }
    if (python_outermost)
        python_put(python_outermost, PY_RETURN);
    python_outermost = n ? code[n - 1] : NULL;
    while (n-- > 0) {
        python_put(code[n], PY_CALL);
        py.Py_DecRef(code[n]);
    }
}

/* Records an event of a function, whose frame is `frame`. */
static inline void python_record(py_object *code, void *frame, int event)
{
    if (python_began != ezt_rt.loading) {
        python_began = ezt_rt.loading;
        if (event != PY_CALL && frame)
            py.Py_IncRef(frame);
        python_open(event != PY_CALL || !frame ? frame : py.PyFrame_GetBack(frame));
    }
    python_put(code, event);
}

/* ---- hooks before 3.12: profile functions ---------------------------------------------------- */

enum { PY_TRACE_CALL = 0, PY_TRACE_RETURN = 3 };

/* arg of a return: the result, or NULL if an exception leaves the function */
static int python_profile(py_object *self, void *frame, int what, py_object *arg)
{
    (void)self;
    if (!python_wanted()) {
        py._PyEval_SetProfile(py.PyThreadState_Get(), NULL, NULL);
        return 0;
    }
    if (what != PY_TRACE_CALL && what != PY_TRACE_RETURN)
        return 0;
    py_object *code = py.PyFrame_GetCode(frame);
    python_record(code, frame, what == PY_TRACE_CALL ? PY_CALL : arg ? PY_RETURN : PY_UNWIND);
    py.Py_DecRef(code); /* never the last reference: the frame has one */
    return 0;
}

enum { PY_STATE_WORDS = 64 }; /* of a thread state, among which is its profile function */
static int python_offset;     /* index of that word; 0: not known yet */

/* Finds where a thread state has its profile function: sets the hook on a thread state that has
 * none, and looks for it. Returns 0 if it is not found. */
static inline int python_learn(void *thread)
{
    void *const *word = (void *const *)thread;
    void *const hook = (void *)python_profile;
    if (python_offset)
        return 1;
    py._PyEval_SetProfile(thread, python_profile, NULL);
    for (int i = 1; i < PY_STATE_WORDS && !python_offset; i++)
        if (word[i] == hook)
            python_offset = i;
    py._PyEval_SetProfile(thread, NULL, NULL);
    return python_offset != 0;
}

/* Sets the hook on all threads without a profile function of the program, which stays. own: the
 * calling thread, which has none, or NULL. Returns why a thread is left out, or NULL. */
static inline const char *python_profile_all(void *own)
{
    void *t = py.PyInterpreterState_ThreadHead(py.PyInterpreterState_Main());
    const char *why = NULL;
    if (own && !python_learn(own))
        return "where its threads keep profile functions is not known";
    for (; t && python_offset; t = py.PyThreadState_Next(t)) {
        void *has = ((void *const *)t)[python_offset];
        if (!has)
            py._PyEval_SetProfile(t, python_profile, NULL);
        else if (has != (void *)python_profile)
            why = "a thread has a profile function of the program";
    }
    return why;
}

/* ---- hooks since 3.12: sys.monitoring --------------------------------------------------------- */

static int python_tool = -1; /* number under which sys.monitoring knows this module; -1: none */

static const char *const python_monitored[] = { "PY_START",  "PY_RESUME", "PY_THROW",
                                                "PY_RETURN", "PY_YIELD",  "PY_UNWIND" };
enum { PY_MONITORED = sizeof python_monitored / sizeof *python_monitored };

/* Calls a method of sys.monitoring. Returns 0 if it raised an exception. */
static inline int python_did(py_object *result)
{
    if (result)
        py.Py_DecRef(result);
    else
        py.PyErr_Clear();
    return result != NULL;
}

static inline long python_event_bit(py_object *monitoring, const char *name)
{
    py_object *events = py.PyObject_GetAttrString(monitoring, "events");
    py_object *o = events ? py.PyObject_GetAttrString(events, name) : NULL;
    long bit = o ? py.PyLong_AsLong(o) : 0;
    if (!o)
        py.PyErr_Clear();
    else
        py.Py_DecRef(o);
    if (events)
        py.Py_DecRef(events);
    return bit;
}

/* Sets the functions (NULL: None) that are called for the six events, and which events happen. */
static inline int python_monitor(py_object *monitoring, py_object *const function[PY_MONITORED])
{
    long all = 0;
    int did = 1;
    for (int i = 0; i < PY_MONITORED; i++) {
        long bit = python_event_bit(monitoring, python_monitored[i]);
        py_object *f = function ? function[i] : py.none;
        did &= bit && python_did(py.PyObject_CallMethod(monitoring, "register_callback", "ilO",
                                                        python_tool, bit, f));
        all |= function ? bit : 0;
    }
    return did &
           python_did(py.PyObject_CallMethod(monitoring, "set_events", "il", python_tool, all));
}

static inline void python_unmonitor(void)
{
    py_object *monitoring = py.PySys_GetObject("monitoring"); /* a borrowed reference */
    if (!monitoring || python_tool < 0)
        return;
    python_monitor(monitoring, NULL);
    python_did(py.PyObject_CallMethod(monitoring, "free_tool_id", "i", python_tool));
    python_tool = -1;
}

/* Handles an event. arg[0] is the code object for all events. */
static inline py_object *python_told(py_object *const *arg, int event)
{
    if (python_wanted())
        python_record(arg[0], python_began == ezt_rt.loading ? NULL : py.PyEval_GetFrame(), event);
    else
        python_unmonitor();
    py.Py_IncRef(py.none);
    return py.none;
}
static py_object *python_enters(py_object *self, py_object *const *arg, long n)
{
    (void)self, (void)n;
    return python_told(arg, PY_CALL);
}
static py_object *python_returns(py_object *self, py_object *const *arg, long n)
{
    (void)self, (void)n;
    return python_told(arg, PY_RETURN);
}
static py_object *python_unwinds(py_object *self, py_object *const *arg, long n)
{
    (void)self, (void)n;
    return python_told(arg, PY_UNWIND);
}

static struct { /* a PyMethodDef, which Python uses as long as it runs */
    const char *name;
    py_fastcall *function;
    int flags;
    const char *doc;
} python_defs[] = { { "eztsh_enters", python_enters, 0x80 /* METH_FASTCALL */, NULL },
                    { "eztsh_returns", python_returns, 0x80, NULL },
                    { "eztsh_unwinds", python_unwinds, 0x80, NULL } };

/* Claims a number of a tool. 3 and 4 are those that Python's documentation gives to nobody. */
static inline int python_claim_tool(py_object *monitoring)
{
    for (python_tool = 4; python_tool >= 3; python_tool--)
        if (python_did(
                py.PyObject_CallMethod(monitoring, "use_tool_id", "is", python_tool, "eztsh")))
            return 1;
    return 0;
}

static inline const char *python_monitor_all(void)
{
    py_object *monitoring = py.PySys_GetObject("monitoring"), *f[PY_MONITORED];
    if (python_tool >= 0)
        return NULL; /* the hooks of an earlier load are still there */
    if (!monitoring || !python_claim_tool(monitoring))
        return "other tools use sys.monitoring";
    for (int i = 0; i < PY_MONITORED; i++)
        f[i] = py.PyCFunction_NewEx(&python_defs[i < 3 ? 0 : i < 5 ? 1 : 2], NULL, NULL);
    if (python_monitor(monitoring, f))
        return NULL;
    python_unmonitor();
    return "sys.monitoring refuses its events";
}

/* ---- start -------------------------------------------------------------------------------------- */

static int python_hooked; /* hooks were set in this interpreter */

static inline int python_has_gil(void)
{
    py_object *f = py.PySys_GetObject("_is_gil_enabled"), *o; /* 3.13 and later */
    if (!f)
        return 1;
    o = py.PyObject_CallFunction(f, NULL);
    int is = o ? py.PyObject_IsTrue(o) : 1;
    python_did(o);
    return is;
}

/* Sets the hooks. The calling thread has the GIL. */
static inline void python_hook(void)
{
    const char *why = NULL;
    python_forget_names();
    if (!python_has_gil())
        why = "this interpreter has no GIL";
    else if (py.minor >= 12)
        why = python_monitor_all();
    else
        why = python_profile_all(py.PyThreadState_Get());
    python_hooked = !why || python_offset;
    if (why)
        ezt_event_text(PY_NOT, why);
}

/* A thread of the module: waits until eztsh has written ezt_rt, then for the GIL. */
static void *python_start(void *arg)
{
    const struct timespec moment = { .tv_nsec = 1000000 };
    for (int i = 0; i < PY_START_SECONDS * 1000 && !python_wanted(); i++)
        nanosleep(&moment, NULL);
    if (!python_wanted())
        return arg;
    int gil = py.PyGILState_Ensure();
    if (python_wanted())
        python_hook();
    py.PyGILState_Release(gil);
    return arg;
}

EZT_LOADED(python_loaded)
EZT_EXPORT void python_loaded(void)
{
    pthread_t thread;
    if (!python_find_any()) {
        if (!py.Py_IsInitialized)
            python_says[0] = 0; /* an interpreter may be loaded later */
        return;
    }
    if (!py.Py_IsInitialized())
        return;
    if (pthread_create(&thread, NULL, python_start, NULL))
        python_say("no thread could be created");
    else
        pthread_detach(thread);
}

struct python_status { /* PyStatus */
    int type;          /* 0: no error */
    const char *function, *message;
    int exit_code;
};
EZT_REPLACE("Py_InitializeFromConfig", python_initialize, python_initialize_orig)
EZT_ORIG struct python_status (*python_initialize_orig)(const void *);
EZT_EXPORT struct python_status python_initialize(const void *config)
{
    struct python_status s = python_initialize_orig(config);
    if (s.type)
        return s;
    if (python_find_any()) {
        python_tool = -1; /* that of an earlier interpreter, which has ended */
        python_hook();
    } else {
        ezt_event_text(PY_NOT, python_says);
    }
    return s;
}

/* Called before a Python thread starts; its thread state exists already. Returns 1 if threads are
 * recorded. */
static inline int python_thread_starts(void)
{
    if (!python_hooked || !python_wanted() || !py.PyGILState_Check())
        return 0;
    if (py.minor < 12)
        python_profile_all(NULL);
    return 1;
}

#endif
