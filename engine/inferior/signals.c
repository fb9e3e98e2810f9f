/* SPDX-License-Identifier: GPL-3.0-or-later */
/* signals.c - decides, for a signal that arrives while the target is traced, whether the target
 * stops, whether the user gets a report, and whether the program gets the signal (`handle`).
 *
 * The defaults are gdb's: signals in everyday use, and signals that libc uses internally, reach the
 * program without a report; SIGINT and SIGTRAP are reported, and do not reach the program.
 * (engine/process/life.c delivers a SIGTRAP that was not reported.) In batch mode nobody could
 * continue the program, so all signals except SIGINT reach the program without a stop.
 * Tests: tests/procs/handle.sh */
#include "engine/target.h"

#include <signal.h>

static bool signals_silent(int sig)
{
    switch (sig) {
    case SIGALRM:
    case SIGURG:
    case SIGIO:
    case SIGVTALRM:
    case SIGPROF:
    case SIGCHLD:
    case SIGWINCH:
    case 32: /* libc's own: cancellation, setuid in all threads */
    case 33:
        return true;
    }
    return false;
}

unsigned ez_signal_how(const struct ez_target *t, int sig)
{
    unsigned own = sig > 0 && sig < EZ_NSIG ? t->set.signal_how[sig] : 0;
    if (own)
        return own & (EZ_SIG_STOP | EZ_SIG_PRINT | EZ_SIG_PASS);
    if (signals_silent(sig) || (t->set.pass_signals && sig != SIGINT))
        return EZ_SIG_PASS;
    return EZ_SIG_STOP | EZ_SIG_PRINT | (sig == SIGINT || sig == SIGTRAP ? 0 : EZ_SIG_PASS);
}

bool ez_signal_passes(const struct ez_target *t, int sig)
{
    unsigned how = ez_signal_how(t, sig);
    return !(how & EZ_SIG_STOP) && how & EZ_SIG_PASS;
}
