/* SPDX-License-Identifier: GPL-3.0-or-later */
/* lesson_table.c - the lessons (lesson.h). */
#include "cmds/lesson_tasks.h"

#define AT_MAIN                                                                                    \
    .missing = learn_at_main, .hint = "`start` launches the program and stops it at main.",        \
    .solution = "start 50\n"

const struct lesson lessons[] = {
    { "Launch and stop",
      "A tracer and its tracee are two processes that only the kernel connects. The child asks to "
      "be\n"
      "traced (PTRACE_TRACEME in the textbook; eztsh uses PTRACE_SEIZE, which needs no help of "
      "the\n"
      "child) and execs; each stop is a report that the tracer fetches by waitpid. `explain on` "
      "shows\n"
      "the calls as they happen, `info ptrace` counts them.\n",
      { { .task = "Have the program launched, and stopped at the first instruction of main.",
          AT_MAIN,
          .done =
              "The kernel reported the exec as a stop; then a trap in main was hit, and the byte "
              "under it put back." },
        { .task = "Have it execute exactly one instruction, or a few.",
          .missing = learn_one_step,
          .hint = "`stepi`; before it, `explain on step wait` shows what is asked.",
          .solution = "stepi\n",
          .done =
              "PTRACE_SINGLESTEP sets the trap flag: the processor stops behind the instruction, "
              "and waitpid reports SIGTRAP." },
        { .task = "Let it go on to its end.",
          .missing = learn_ended,
          .hint = "`continue`.",
          .solution = "continue\n",
          .done = "The last report of waitpid is the exit status." },
        { .task = NULL } },
      NULL },
    { "Memory and registers",
      "A stopped process's memory and registers are the tracer's to read and to write\n"
      "(PTRACE_PEEKTEXT and POKETEXT, or /proc/PID/mem; PTRACE_GETREGSET and SETREGSET).\n",
      { { .task = "Launch the program with an argument of 50 (it would make 50 steps), to main.",
          AT_MAIN,
          .done = "It stands before the first instruction of main." },
        { .task = "Its variable `steps` says how often it computes. Make it 7, in memory.",
          .missing = learn_seven,
          .hint = "`print steps`, `set var NAME = VALUE`.",
          .solution = "set var steps = 7\n",
          .done = "`explain on patch` shows such a write, byte by byte." },
        { .task = "But main sets `steps` from its argument, if argc > 1. argc is its first "
                  "argument, in "
                  "$rdi: make it\n1.",
          .missing = learn_no_args,
          .hint = "A register is a variable, too: `set $rdi = ...`.",
          .solution = "set $rdi = 1\n",
          .done = "The ABI passes the first integer arguments in rdi, rsi, rdx, rcx, r8, r9." },
        { .task = "Let it run to its end: it prints \"7 steps\".",
          .missing = learn_ended,
          .hint = "`continue`.",
          .solution = "continue\n",
          .done = "It never learned that it was called with an argument." },
        { .task = NULL } },
      NULL },
    { "Single-stepping a prologue",
      "A probe writes a jump of 5 bytes over a function's first instructions, which must move "
      "away\n"
      "whole. How long are they? The paper's way is to single-step them and to look how far the\n"
      "program counter came.\n",
      { { .task = "Launch the program, to main.", AT_MAIN, .done = "$pc is the address of main." },
        { .task =
              "Single-step until at least 5 bytes of main are behind you, and stay in main. Note "
              "where each\ninstruction ends.",
          .missing = learn_five,
          .hint = "`stepi` and `print $pc - (char *)main`, or `x/i $pc`; a few times.",
          .solution = "while $pc - (unsigned long)main < 5\nstepi\nend\n",
          .done = "Each difference of $pc is the length of an instruction." },
        { .task = "How many bytes does the jump overwrite, in whole instructions? Put it in $over.",
          .missing = learn_over_main,
          .hint = "`set $over = ...`: the first end of an instruction at 5 bytes or more.",
          .solution = "set $over = $pc - (unsigned long)main\n",
          .done = "`measure main` does all of this, and compares with libopcodes." },
        { .task =
              "The same of the function `work`, in $work, by stepping too. A call or a jump in "
              "there "
              "leaves the\nfunction: then the difference of $pc says nothing, and the jump decoder "
              "reads the length from the\nopcode.",
          .missing = learn_over_jump,
          .hint = "`measure work` steps through its first instructions without running the rest.",
          .solution = "measure work\npipe measure -opcodes work | sed -n "
                      "'s/.* overwrite \\([0-9]*\\)[.]$/set $work = \\1/p' >work.tmp\n"
                      "source work.tmp\nshell rm work.tmp\n",
          .done = "\"(jump)\" marks what the jump decoder measured." },
        { .task = NULL } },
      NULL },
    { "A system call by hand",
      "A trampoline needs memory in the target, and only the target can map it: so it is made to "
      "call\n"
      "mmap. Save, set, call, restore: the commands `mmap` and `syscall` do it; here it is "
      "yours.\n",
      { { .task = "Launch the program, to main.",
          AT_MAIN,
          .remember = true,
          .done =
              "Its registers as they are now must come back in the end: save them in variables, "
              "as in \"set $rax0 = $rax\", and the bytes at $pc." },
        { .task =
              "Write the instruction syscall (bytes 0f 05) over the two bytes at $pc. Save them "
              "first.",
          .missing = learn_syscall_there,
          .hint = "`set $old = *(unsigned short *)$pc`, then `set var *(unsigned short *)$pc = "
                  "0x050f`.",
          .solution = "set $pc0 = $pc\nset $rax0 = $rax\nset $rdi0 = $rdi\nset $rsi0 = $rsi\n"
                      "set $rdx0 = $rdx\nset $r100 = $r10\nset $r80 = $r8\nset $r90 = $r9\n"
                      "set $rcx0 = $rcx\nset $r110 = $r11\nset $old = *(unsigned short *)$pc\n"
                      "set var *(unsigned short *)$pc = 0x050f\n",
          .done = "Text that is mapped read-only can be written by a tracer: its copy becomes "
                  "private." },
        { .task = "Set the registers for mmap(0, 4096, PROT_READ|PROT_WRITE, "
                  "MAP_PRIVATE|MAP_ANONYMOUS, "
                  "-1, 0):\nnumber 9 in rax, arguments in rdi, rsi, rdx, r10, r8, r9.",
          .missing = learn_mmap_args,
          .hint = "PROT_READ|PROT_WRITE is 3, MAP_PRIVATE|MAP_ANONYMOUS is 0x22.",
          .solution = "set $rax = 9\nset $rdi = 0\nset $rsi = 4096\nset $rdx = 3\nset $r10 = 0x22\n"
                      "set $r8 = -1\nset $r9 = 0\n",
          .done =
              "The fourth argument is in r10, not rcx, which the instruction itself overwrites." },
        { .task = "Execute it.",
          .missing = learn_mapped,
          .hint = "It is one instruction: `stepi`.",
          .solution = "stepi\n",
          .done = "$rax is the address of the new page: `x/4x $rax`, `info mappings`." },
        { .task = "Put everything back: the two bytes, and every register, $pc too.",
          .missing = learn_restored,
          .hint = "`set var *(unsigned short *)$pc0 = $old`, then registers from your variables.",
          .solution = "set var *(unsigned short *)$pc0 = $old\nset $pc = $pc0\nset $rax = $rax0\n"
                      "set $rdi = $rdi0\nset $rsi = $rsi0\nset $rdx = $rdx0\nset $r10 = $r100\n"
                      "set $r8 = $r80\nset $r9 = $r90\nset $rcx = $rcx0\nset $r11 = $r110\n",
          .done = "Nothing in the process can tell that it happened, but for a page more." },
        { .task = "Let it go on to its end.",
          .missing = learn_ended,
          .hint = "`continue`.",
          .solution = "continue\n",
          .done = "It ran as if nothing had been." },
        { .task = NULL } },
      NULL },
    { "The base trampoline",
      "A jump at the function's start leads to a stub (the trampoline), which counts and records; "
      "the\n"
      "instructions under the jump run behind it, and a jump back ends them: the replay.\n",
      { { .task = "Launch the program, to main.",
          AT_MAIN,
          .done = "Nothing is changed yet: `disassemble step`." },
        { .task = "Plant a probe on `step` that only counts.",
          .missing = learn_planted,
          .hint = "`probe -count step`; `why step` says before what would be done.",
          .solution = "probe -count step\n",
          .done = "`disassemble /p step` shows both texts side by side." },
        { .task = "Compute from the jump's bytes where it leads: put the address in $stub. Opcode "
                  "e9 is "
                  "followed by\n4 bytes, signed, counted from the jump's end.",
          .missing = learn_stub,
          .hint = "`x/5xb step`; an int at step+1, and 5.",
          .solution = "set $stub = (char *)step + 5 + *(int *)((char *)step + 1)\n",
          .done = "`x/20i $stub` shows it." },
        { .task = "The moved instructions run somewhere behind the stub. Put the address of the "
                  "first in "
                  "$copy.",
          .missing = learn_copy,
          .hint = "`disassemble /p step` says where they are, and `why step` how long the stub is.",
          .solution = "pipe disassemble /p step | sed -n "
                      "'s/^\\(0x[0-9a-f]*\\) .* from step *$/set $copy = \\1/p' >copy.tmp\n"
                      "source copy.tmp\nshell rm copy.tmp\n",
          .done = "What depends on its address (a branch, %rip) is rewritten when it moves." },
        { .task = "Let the program run to its end, with the probe.",
          .missing = learn_called,
          .hint = "`continue`, then `info probes`.",
          .solution = "continue\ninfo probes\n",
          .done = "Each call went over the jump, the stub and the replay, and came back. `set "
                  "by-hand on`\n"
                  "leaves the steps of planting to you: `help hand`." },
        { .task = NULL } },
      NULL },
    { "The loader maps a library",
      "A library's functions have addresses only when the loader has mapped it. The paper's tool\n"
      "watches the system calls: open of the file, then mmap of that descriptor returns the "
      "base.\n",
      { { .task = "Have eztsh watch the system calls of processes that begin.",
          .missing = learn_watching,
          .hint = "`set solib-watch syscalls`.",
          .solution = "set solib-watch syscalls\n",
          .done = "Every system call will stop the process twice (PTRACE_SYSCALL): that is slow." },
        { .task = "Launch the program, to main, and read what is told.",
          .missing = learn_loaded,
          .hint = "`start`. Each mmap of a library is a line.",
          .solution = "start 50\n",
          .done = "`info ptrace` counts the stops." },
        { .task = "Where was libkernel.so mapped? Put the address in $base.",
          .missing = learn_base,
          .hint = "The line \"mmap of ... at\", or `info sharedlibrary`.",
          .solution = "pipe info sharedlibrary | sed -n "
                      "'s/^\\(0x[0-9a-f]*\\) .*libkernel.so$/set $base = \\1/p' >base.tmp\n"
                      "source base.tmp\nshell rm base.tmp\n",
          .done = "With address space randomization it is another one in each run." },
        { .task = "And how far behind it is kernel_row? Put it in $offset.",
          .missing = learn_offset,
          .hint = "`print &kernel_row`, minus $base. Twice run, it is the same.",
          .solution = "set $offset = (unsigned long)kernel_row - $base\n",
          .done = "The file's symbols say the offset; the sum of both is where a probe goes." },
        { .task = "Let it go on to its end.",
          .missing = learn_ended,
          .hint = "`continue`.",
          .solution = "continue\nset solib-watch probe\n",
          .done = "eztsh's own way needs no stop: `help set solib-watch`." },
        { .task = NULL } },
      NULL },
    { "Exits and unwinding",
      "To see a function return, its return address is replaced. But unwinders (exceptions, "
      "`backtrace`,\n"
      "a thread's cancellation) read that address, and processors predict it. eztsh keeps the "
      "address in\n"
      "a slot, with unwind rows that lead to it, and pairs each call with its return.\n",
      { { .task = "With exits that go through slots (set exit-mode slots), probe `step`, both "
                  "sides, only "
                  "counting; and\nhave the program stop in kernel_row, which `step` calls.",
          .missing = learn_slots,
          .hint = "`probe -count step`, `probe entry -count kernel_row do stop`, `run 50`.",
          .solution = "set exit-mode slots\nprobe -count step\n"
                      "probe entry -count kernel_row do stop\nrun 50\n",
          .done = "`backtrace` goes through `step` as if nothing stood on its stack." },
        { .task =
              "Look at the stack itself: the word where the return address of `step` should stand. "
              "Put it in $slot.",
          .missing = learn_hijacked,
          .hint =
              "`backtrace`: frame 2 called `step`, so in `frame 2` that word is just below $sp.",
          .solution = "frame 2\nset $slot = *(unsigned long *)($sp - 8)\nframe 0\n",
          .done = "It is code of eztsh's (info mappings); `why` and backtrace know the way back." },
        { .task = "Delete the probe on kernel_row, and let the program go on to its end.",
          .missing = learn_unhooked,
          .hint = "`info probes` has the numbers; `delete N`, `continue`.",
          .solution = "delete 2\ncontinue\nset exit-mode auto\n",
          .done = "Each exit was seen, though the address on the stack was not the caller's." },
        { .task = NULL } },
      NULL },
    { "Threads: who stands in the window",
      "While five bytes are written, another thread may stand among them: it would go on in the "
      "middle\n"
      "of the jump. So all threads stop, and those in the window are moved to the copy.\n",
      { { .task = "Have the program run with 1000000 steps, until its four workers are there.",
          .missing = learn_five_threads,
          .hint = "main calls pthread_join when all are: `probe entry -count pthread_join do "
                  "stop`, `run "
                  "1000000`.",
          .solution = "probe entry -count pthread_join do stop\nrun 1000000\n",
          .done = "`info threads`." },
        { .task = "Plant a probe on `step` while they are at work.",
          .missing = learn_patched_busy,
          .hint = "`probe -count step`, then `info window`.",
          .solution = "probe -count step\ninfo window\n",
          .done = "`info window` says where each thread stood, and whether it was moved." },
        { .task = "Take it away again, with all others.",
          .missing = learn_bytes_back,
          .hint = "`delete`, then `info textdiff`.",
          .solution = "delete\n",
          .done = "The stub stays mapped: a thread may still be in it. The bytes are the file's." },
        { .task = "End the process.",
          .missing = learn_killed,
          .hint = "`kill`.",
          .solution = "kill\n",
          .done = "doc/INTERNALS.md says what else may stand in the window: signal frames." },
        { .task = NULL } },
      NULL },
    { "From events to a timeline",
      "A hit is a record in a ring of its thread; eztsh writes them to an FxT file, and reads them "
      "back in\n"
      "the order of time, as states of threads.\n",
      { { .task = "Run the program to its end with a probe on `step` that records.",
          .missing = learn_traced,
          .hint = "`probe step`, `run 50`: the trace opens by itself.",
          .solution = "probe step\nrun 50\n",
          .done = "The last line is the ledger: no hit is lost without a word." },
        { .task = "How many hits were there? Put it in $hits.",
          .missing = learn_ledger,
          .hint = "`info trace`. 4 threads, 50 steps, an entry and an exit each.",
          .solution = "set $hits = 4 * 50 * 2\n",
          .done = "`events` shows the newest of them." },
        { .task = "Look at the `timeline`; then write the trace for a viewer: Chrome's JSON, as "
                  "heat.json.",
          .missing = learn_converted,
          .hint = "`convert -t chrome -o heat.json`.",
          .solution = "timeline\nconvert -t chrome -o heat.json\n",
          .done =
              "An entry and its exit became one state of that thread; ui.perfetto.dev shows it." },
        { .task = NULL } },
      NULL },
    { .title = "A bug in a relocation",
      .about = "An engine may be wrong, too. From now on eztsh relocates the first instructions of "
               "one of\n"
               "main, work and step wrongly, in every process, as soon as a probe stands there.\n",
      .step = { { .task = "Probe all three (only counting), and see the program fail.",
                  .missing = learn_crashed,
                  .hint = "`kill` what runs, then `probe -count main work step`, `handle SIGSEGV "
                          "nostop`, "
                          "`run 50`.",
                  .solution = "probe -count main work step\nset args 50 >/dev/null\n"
                              "handle SIGSEGV SIGBUS SIGILL nostop pass\nrun\n",
                  .done = "It runs to its end without probes: so one of them is to blame." },
                { .task = "Which probe is it? Put its number in $bug.",
                  .missing = learn_bug,
                  .hint = "`bisect` runs the program until it knows. Or, stopped at main, `check` "
                          "compares "
                          "what the copies do, and `disassemble /p` shows them.",
                  .solution =
                      "pipe bisect | sed -n 's/^Probe \\([0-9]*\\) .*/set $bug = \\1/p' >bug.tmp\n"
                      "source bug.tmp\nshell rm bug.tmp\n",
                  .done =
                      "`check` runs both, in copies of the process, and finds where they differ." },
                { .task =
                      "End the fault, and let the program run to its end with all three probes.",
                  .missing = learn_mended,
                  .hint = "`maint corrupt-relocation none`, then `run`.",
                  .solution = "maint corrupt-relocation none\nrun\n",
                  .done = "`help maint` says what else can be broken on purpose." },
                { .task = NULL } },
      .begin = learn_plant_bug },
};
const unsigned lessons_n = EZ_ARRAY_LEN(lessons);
