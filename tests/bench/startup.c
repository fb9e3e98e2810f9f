/* SPDX-License-Identifier: GPL-3.0-or-later */
/* startup.c - what planting on everything adds to the start of a program.
 *
 *   startup EZTSH PRELOAD ROUNDS BOUND PROGRAM [COMMAND...]
 *
 * From exec to main, measured inside the program (startup_pre.c), natively and under
 * `eztsh -ex COMMAND... -ex run`, in turns; prints the medians and their difference.
 * `startup stamp` prints CLOCK_MONOTONIC: the last thing that the starting shell does. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { ROUNDS_MOST = 200, WORDS_MOST = 40 };

static const char *out, *pre, *prog;

static int stamp(void)
{
    struct timespec ts;
    clock_gettime(CLOCK_MONOTONIC, &ts);
    return printf("%lld\n", ts.tv_sec * 1000000000ll + ts.tv_nsec) < 0;
}

/* Run it; what the program says, in ms. `words` get the log. */
static double once(char **argv, const char *log)
{
    long long ns = -1;
    int status = -1;
    remove(out);
    pid_t pid = fork();
    if (!pid) {
        const char *slash = strrchr(prog, '/');
        setenv("LD_PRELOAD", pre, 1);
        setenv("STARTUP_PROG", slash ? slash + 1 : prog, 1);
        setenv("STARTUP_OUT", out, 1);
        if (!freopen(log, "w", stdout) || !freopen("/dev/null", "r", stdin))
            _exit(126);
        dup2(1, 2);
        execvp(argv[0], argv);
        _exit(127);
    }
    waitpid(pid, &status, 0);
    FILE *f = fopen(out, "r");
    if (!f || fscanf(f, "%lld", &ns) != 1 || ns < 0) {
        fprintf(stderr, "startup: %s gave no answer (status %x)\n", argv[0], status);
        exit(1);
    }
    fclose(f);
    return (double)ns * 1e-6;
}

static int by_value(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return x < y ? -1 : x > y;
}

static double median(double *v, int n)
{
    qsort(v, (size_t)n, sizeof *v, by_value);
    return v[n / 2];
}

static void print_planted(const char *log)
{
    char line[512];
    FILE *f = fopen(log, "r");
    unsigned n, of, all = 0;
    while (f && fgets(line, sizeof line, f))
        if (sscanf(line, "Planted %u of %u", &n, &of) == 2 && n)
            all += n;
    if (f)
        fclose(f);
    printf(" %u probes", all);
}

/* eztsh -ex COMMAND... -ex 'run STAMP' PROGRAM */
static void eztsh_line(char **line, char **argv, int argc, char *run)
{
    int n = 0;
    line[n++] = argv[1];
    line[n++] = "-q";
    line[n++] = "-nx";
    line[n++] = "-batch";
    for (int i = 6; i < argc; i++) {
        line[n++] = "-ex";
        line[n++] = argv[i];
    }
    line[n++] = "-ex";
    line[n++] = run;
    line[n++] = argv[5];
    line[n] = NULL;
}

static void measure(char **nat, char **ezt, int rounds, const char *log, const char *bound)
{
    static double native[ROUNDS_MOST], probed[ROUNDS_MOST];
    for (int r = 0; r < rounds; r++) {
        native[r] = once(nat, "/dev/null");
        probed[r] = once(ezt, log);
    }
    double a = median(native, rounds), b = median(probed, rounds);
    const char *slash = strrchr(prog, '/');
    printf("%-8s %-22s exec to main %6.2f ms, with", slash ? slash + 1 : prog, ezt[5], a);
    print_planted(log);
    printf(" %7.2f: +%.1f ms (bound %s)\n", b, b - a, bound);
}

int main(int argc, char **argv)
{
    char self[4096] = "", run[8192], cmd[8192], dir[] = "/tmp/startup.XXXXXX", log[64], where[64];
    char *nat[] = { "sh", "-c", cmd, NULL }, *ezt[2 * WORDS_MOST], clean[128];
    if (argc == 2 && !strcmp(argv[1], "stamp"))
        return stamp();
    if (argc < 7 || argc > WORDS_MOST || readlink("/proc/self/exe", self, sizeof self - 1) < 0 ||
        !mkdtemp(dir))
        return 2;
    int rounds = atoi(argv[3]);
    rounds = rounds < 1 ? 1 : rounds > ROUNDS_MOST ? ROUNDS_MOST : rounds;
    pre = argv[2];
    prog = argv[5];
    snprintf(log, sizeof log, "%s/log", dir);
    snprintf(where, sizeof where, "%s/ns", dir);
    out = where;
    setenv("EZTRACE_TRACE_DIR", dir, 1);
    snprintf(run, sizeof run, "run $('%s' stamp)", self);
    snprintf(cmd, sizeof cmd, "exec '%s' $('%s' stamp)", prog, self);
    eztsh_line(ezt, argv, argc, run);
    measure(nat, ezt, rounds, log, argv[4]);
    snprintf(clean, sizeof clean, "rm -rf %s", dir);
    return system(clean) != 0;
}
