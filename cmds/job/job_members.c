/* SPDX-License-Identifier: GPL-3.0-or-later */
/* job_members.c - finds the processes of a job, and brings them under drivers.
 * Tests: tests/procs/jobs.sh */
#include "cmds/job/jobs.h"

#include "engine/base/now.h"
#include "shell/out.h"
#include "shell/sess.h"

#define PATIENCE_MS 5000

ez_err *jobs_hello(struct ez_sess *s)
{
    struct ez_front *f = s->job->front;
    struct ez_reply r;
    long id;
    struct json_object *o = json_object_new_object();
    ez_json_put_int(o, "ms", 60000); /* a launcher may need a while */
    EZ_TRY(ez_front_request(f, "hello", o, &id));
    EZ_TRY(jobs_await(s, id, &r));
    ez_front_nodes(f, &r);
    ez_reply_free(&r);
    return jobs_clocks(s);
}

/* Prints the number of processes once, after a delay: the launcher may have started fewer than
 * requested, or wait in a queue. */
static void members_print_arrived(struct ez_sess *s, unsigned want, int64_t *due)
{
    if (!want || ez_now_ms() < *due)
        return;
    *due = INT64_MAX;
    out_line(s, "%zu of %u processes have started. Ctrl-C ends the job.",
             s->job->front->roster.member.n, want);
    out_flush(s);
}

ez_err *jobs_search(struct ez_sess *s, struct json_object *find, struct ez_reply *out,
                    size_t *fresh)
{
    long id;
    EZ_TRY(ez_front_request(s->job->front, "find", find, &id));
    EZ_TRY(jobs_await(s, id, out));
    *fresh = ez_front_found(s->job->front, out);
    return NULL;
}

ez_err *jobs_find(struct ez_sess *s, unsigned want)
{
    struct ez_front *f = s->job->front;
    uint64_t left = want ? 3000 : 1; /* number of tries, 20 ms or more each */
    int64_t next_ms = ez_now_ms() + PATIENCE_MS;
    if (!f->nodes)
        EZ_TRY(jobs_hello(s));
    for (size_t found = f->roster.member.n; left--;) {
        struct json_object *o = json_object_new_object();
        struct ez_reply r;
        size_t fresh;
        ez_json_put_text(o, "token", f->token);
        EZ_TRY(jobs_search(s, o, &r, &fresh));
        ez_reply_free(&r);
        found += fresh;
        if (found >= (want ? EZ_MAX(want, f->size) : 0))
            return NULL;
        if (f->launcher && ez_front_launcher_ended(f))
            return jobs_launch_failed(s);
        members_print_arrived(s, want ? EZ_MAX(want, f->size) : 0, &next_ms);
        if (!sess_sleep(s, 20))
            return ez_err_gdb(EZ_E_QUIT, "Quit");
    }
    return want ? ez_err_new(EZ_E_TIMEOUT, 0,
                             "Only %zu of %u processes of the job were found within a minute",
                             f->roster.member.n, EZ_MAX(want, f->size))
                : NULL;
}

ez_err *jobs_bring(struct ez_sess *s, enum ez_claim which)
{
    bool blind = which != EZ_CLAIM_HELD;
    struct ez_front *f = s->job->front;
    struct ez_ranks those;
    struct ez_reply r;
    long id;
    ez_roster_in(&f->roster, 1u << (blind ? EZ_MEMBER_BLIND : EZ_MEMBER_HELD), &those);
    ez_err *e = those.span.n ? ez_front_claim(f, &those, which, "", &id) : NULL;
    if (!e && those.span.n)
        e = jobs_await(s, id, &r);
    if (!e && those.span.n) {
        e = blind ? jobs_print(s, &r, true) : jobs_print_failed(s, &r);
        ez_reply_free(&r);
    }
    ez_ranks_free(&those);
    return e;
}
