/* SPDX-License-Identifier: GPL-3.0-or-later */
/* job_commands.c - the commands of jobs. They stand apart from their functions, of which there are two: without
 * json-c, those of job_none.c. */
#include "cmds/cmd.h"
#include "cmds/jobs.h"

const struct ez_cmd command_info_contexts = {
    .parent = "info",
    .name = "contexts",
    .usage = "",
    .brief = "Named sets of the job's processes.",
    .help = "Example:\n"
            "  context even = where rank % 2 == 0\n"
            "  info contexts\n\n"
            "See also: context, info job",
    TAKES(JOB, 0, 0),
    OPTIONS(FOR_PROGRAMS),
    .fn = cmd_info_contexts,
};

const struct ez_cmd command_info_hosts = {
    .parent = "info",
    .name = "hosts",
    .usage = "",
    .brief = "The job's daemons, their hosts and processes.",
    .help = "Example:\n"
            "  info hosts\n\n"
            "See also: job, info job",
    TAKES(JOB, 0, 0),
    OPTIONS(FOR_PROGRAMS),
    .fn = cmd_info_hosts,
};

const struct ez_cmd command_info_inferiors = {
    .parent = "info",
    .name = "inferiors",
    .usage = "",
    .brief = "The processes of the session.",
    .help = "Example:\n"
            "  info inferiors\n\n"
            "See also: inferior, set follow-fork-mode, info job",
    TAKES(JOB, 0, 0),
    OPTIONS(FOR_PROGRAMS),
    .fn = cmd_info_inferiors,
};

const struct ez_cmd command_info_job = {
    .parent = "info",
    .name = "job",
    .usage = "",
    .brief = "The job's processes: host, pid, state, program.",
    .help = "The token is what \"job attach -token\" takes, from another eztsh or at another "
            "time.\n\n"
            "Example:\n"
            "  info job\n\n"
            "See also: job, info hosts, info contexts",
    TAKES(JOB, 0, 0),
    OPTIONS(FOR_PROGRAMS),
    .fn = cmd_info_job,
};

const struct ez_cmd command_aggregate = {
    .name = "aggregate",
    .usage = "PROBE by OPERATION [of EXPR] [WHEN] [WHERE]",
    .brief = "Add values up over the processes of a job.",
    .help =
        "PROBE is a location, or the number of a probe. OPERATION is sum, avg, min, max, hist, "
        "count, "
        "own\n"
        "(each process's value), or plugin FILE:FUNC: a double FUNC(double, double) of a shared "
        "object,\n"
        "which must be associative and commutative, and makes one of all values of EXPR. That is "
        "tried "
        "on "
        "values\n"
        "that occurred; -domain LOW:HIGH: at once, between these. EXPR is over the arguments and "
        "$ret;\n"
        "without it a value is how long a call takes; \"of hits\" counts. The values are added up "
        "in "
        "the\n"
        "processes, then by the daemons, then over the tree of daemons; no event is recorded.\n"
        "WHEN the values are told: -every TIME, -every N hits, -at-end (of all processes). -every "
        "tells the "
        "window's\n"
        "value, and the total behind it; of min, max and plugin the total alone. WHERE: -c "
        "CONTEXT, "
        "which is "
        "a part\n"
        "of what an aggregate is.\n"
        "Processes that have ended keep their last values; how many take part is told. What is "
        "told "
        "is a\n"
        "trace, too, PROG-jobTOKEN-aggregates.fxt, which \"report\" draws among those of the ranks "
        "(not "
        "with\n"
        "\"set trace-auto off\").\n\n"
        "Example:\n"
        "  aggregate exchange by avg -every 1s\n"
        "  aggregate send by sum of n -every 10000 hits -c edge\n"
        "  info aggregates -by host\n\n"
        "See also: info aggregates, count, sum, hist, context",
    TAKES(JOB, 1, 1),
    .flags = RAW | MUTATES | TEXT_ONLY,
    .fn = cmd_aggregate,
    .complete = comp_location,
};

const struct ez_cmd command_context = {
    .name = "context",
    .usage = "NAME = EXPR | use EXPR | add|remove NAME EXPR | copy OLD NEW | invert|delete NAME",
    .brief = "Name processes of the job, and choose them.",
    .help =
        "EXPR is made of: all, none, a context's name; [ranks] 0-3,7,16-64/4; hosts GLOB[,GLOB];\n"
        "sample P% [seed S] [of NAME], which draws the same processes each time; where COND, about "
        "rank,\n"
        "size, host, local (which of its host's) and pid, with C's operators; where plugin "
        "FILE:FUNC, "
        "an\n"
        "int FUNC(int rank, int size) of a shared object. These are joined by not, and, or, and\n"
        "parentheses. Who is a member is found when a context is defined; \"all\" has those that "
        "come\n"
        "later, too. A rank that is not there is told. -c takes the longest expression that "
        "follows "
        "it.\n"
        "use: commands are for these from now on (the prompt says so). invert: all others.\n\n"
        "Example:\n"
        "  context edge = 0 or where rank == size - 1\n"
        "  context some = sample 10% seed 7 of edge or hosts node1*\n"
        "  probe -c edge exchange\n"
        "  context use edge\n\n"
        "See also: info contexts, job",
    TAKES(JOB, 1, 1),
    .flags = RAW | NO_REPEAT | TEXT_ONLY,
    .fn = cmd_context,
};

const struct ez_cmd command_inferior = {
    .name = "inferior",
    .usage = "[N|all]",
    .brief = "Choose the process that commands are for.",
    .help = "Of a tree of processes (\"set follow-fork-mode all\"), or a job: "
            "commands are for this one from\n"
            "now on; \"inferior all\": for all again.\n\n"
            "Example:\n"
            "  inferior 2\n"
            "  info probes\n"
            "  inferior all\n\n"
            "See also: info inferiors, context, set follow-fork-mode",
    TAKES(JOB, 0, 1),
    .flags = NO_REPEAT | TEXT_ONLY,
    .fn = cmd_inferior,
};

const struct ez_cmd command_job = {
    .name = "job",
    .usage = "run|attach|detach|kill|reattach ...",
    .brief = "Many processes at one prompt: MPI jobs and others.",
    .help =
        "Each process of a job has an eztsh of its own, which daemons drive, one a host. All "
        "commands\n"
        "about programs, probes and data are for all processes then, or for those that -c CONTEXT "
        "or\n"
        "\"context use\" names. Equal answers are printed once, as \"[0-41,43] TEXT\"; of more "
        "than "
        "16\n"
        "different ones -each prints all. A failure names the processes, and why; with -atomic "
        "the\n"
        "others take back what they did. \"continue\" waits for all; Ctrl-C interrupts them.\n\n"
        "Example:\n"
        "  job run -np 16 ./app\n"
        "  probe exchange\n"
        "  probe -c 0 write_results\n"
        "  continue\n"
        "  stats -by process\n\n"
        "See also: context, info job, aggregate, set follow-fork-mode",
    TAKES(JOB, 0, -1),
    .flags = TEXT_ONLY,
    .fn = cmd_list_sub,
};

const struct ez_cmd command_job_attach = {
    .parent = "job",
    .name = "attach",
    .usage = "[PID...]",
    .brief = "Attach to all processes of a job that runs.",
    .help = "PID is the launcher's: mpirun's, mpiexec's, srun's. Several PIDs are the processes\n"
            "themselves. Beside the ranks of an srun daemons are started as a step of its job.\n\n"
            "Example:\n"
            "  job attach 4242\n"
            "  job attach -pgrep 'nginx: worker'\n\n"
            "See also: job, job detach, info job",
    TAKES(JOB, 0, -1),
    OPTIONS({ .name = "-token",
              .kind = OPT_TEXT,
              .value = "T",
              .meaning = "processes that \"job run\" began: \"info job\" has their token" },
            { .name = "-daemons",
              .kind = OPT_TEXT,
              .value = "'LAUNCHER ...'",
              .meaning = "start daemons so, one on each of the job's hosts: 'mpirun -H a,b\n"
                         "--map-by ppr:1:node' (else one, on this host)" },
            { .name = "-pids",
              .kind = OPT_FILE,
              .value = "FILE",
              .meaning = "the processes whose ids are in FILE" },
            { .name = "-pgrep",
              .kind = OPT_TEXT,
              .value = "REGEX",
              .meaning = "processes of yours (root: of anybody) whose command lines match" }),
    .flags = NO_REPEAT,
    .fn = cmd_job_attach,
    .complete = comp_pid,
};

const struct ez_cmd command_job_detach = {
    .parent = "job",
    .name = "detach",
    .usage = "",
    .brief = "Remove every probe and let all processes go.",
    .help = "Example:\n"
            "  job detach -keep\n\n"
            "See also: job, job attach, detach",
    TAKES(JOB, 0, 0),
    OPTIONS({ .name = "-keep", .meaning = "leave the probes at work" }),
    .flags = NO_REPEAT,
    .fn = cmd_job_detach,
};

const struct ez_cmd command_job_gather = {
    .parent = "job",
    .name = "gather",
    .usage = "DIR",
    .brief = "Bring the traces of all processes to a folder here.",
    .help = "Those that are open are brought as far as they are written. The folder is made; "
            "what an\n"
            "earlier gather put there is replaced. From then on stats, report and the others read\n"
            "the copies of ranks that had ended; of others, the traces themselves where they are\n"
            "on this host.\n\n"
            "Example:\n"
            "  job gather traces\n"
            "  report -o job.html\n\n"
            "See also: job, stats, convert",
    TAKES(JOB, 1, 1),
    .flags = NO_REPEAT,
    .fn = cmd_job_gather,
    .complete = comp_file,
};

const struct ez_cmd command_job_kill = {
    .parent = "job",
    .name = "kill",
    .usage = "",
    .brief = "Kill all processes of the job.",
    .help = "Example:\n"
            "  job kill\n\n"
            "See also: job, job detach",
    TAKES(JOB, 0, 0),
    .flags = NO_REPEAT,
    .fn = cmd_job_kill,
};

const struct ez_cmd command_job_reattach = {
    .parent = "job",
    .name = "reattach",
    .usage = "",
    .brief = "Take blind processes over again.",
    .help =
        "Those whose daemon or driver has ended: they run on, and their probes count. They are\n"
        "stopped then, with their probes and counts.\n\n"
        "Example:\n"
        "  job reattach\n\n"
        "See also: job, info job",
    TAKES(JOB, 0, 0),
    .flags = NO_REPEAT,
    .fn = cmd_job_reattach,
};

const struct ez_cmd command_job_run = {
    .parent = "job",
    .name = "run",
    .usage = "OPTION... PROG [ARGS]",
    .brief = "Start a job, each process held before main.",
    .help =
        "CMD is mpirun unless it is named: mpiexec, mpiexec.hydra, srun or a command of yours; "
        "the\n"
        "OPTIONs are its own. Each process stands where its program is ready to run, so that\n"
        "probes see its first call. Daemons run on this host; where OPTIONs say on which hosts\n"
        "the job runs, the same launcher starts one on each. -daemons N: as many, and under "
        "MPI.\n"
        "Under Slurm they are a step of the job, one on each of its nodes: srun --overlap.\n"
        "CMD is one program, without options; what env would do, \"set environment\" does. Of "
        "\"...\n"
        ": ...\" all blocks are held.\n\n"
        "Example:\n"
        "  job run -np 4 ./app 1000\n"
        "  job run -launcher srun -N 2 -np 64 ./app\n"
        "  job run -launcher mpiexec.hydra -hosts node1,node2 -np 64 ./app\n\n"
        "See also: job, job attach, continue",
    TAKES(JOB, 0, 1),
    .flags = RAW | NO_REPEAT,
    .fn = cmd_job_run,
    .complete = comp_file,
};
