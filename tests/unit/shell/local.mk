# The shell's tests. check_repl drives ./eztsh on a pseudo-terminal.
check_PROGRAMS += check_shell check_repl check_long check_quit
TESTS += check_shell check_repl check_long check_quit tests/unit/shell/check_batch.sh tests/unit/shell/check_man.sh
dist_check_SCRIPTS += tests/unit/shell/check_batch.sh tests/unit/shell/check_man.sh

check_shell_SOURCES = \
	tests/unit/shell/check_shell.c tests/unit/shell/check_shell.h \
	tests/unit/shell/check_table.c tests/unit/shell/check_lex.c tests/unit/shell/check_out.c \
	tests/unit/shell/check_dispatch.c tests/unit/shell/check_options.c tests/unit/shell/check_opt.c \
	tests/unit/shell/check_read.c tests/unit/shell/check_loop.c tests/unit/shell/check_mask.c tests/unit/engine/trace_file.h
EXTRA_DIST += tests/unit/shell/check_completion.py tests/unit/shell/read.ezt tests/unit/shell/read.out tests/unit/shell/words.ezt \
	tests/unit/shell/words.out
check_shell_LDADD = $(EZ_SHELL_LIBS) $(CHECK_LIBS)

check_repl_SOURCES = \
	tests/unit/shell/check_repl.c tests/unit/shell/pty.c tests/unit/shell/pty.h
check_repl_LDADD = $(CHECK_LIBS) -lutil

check_long_SOURCES = tests/unit/shell/check_long.c tests/unit/shell/pty.c \
	tests/unit/shell/pty.h tests/unit/engine/trace_file.h
check_long_LDADD = $(EZ_ENGINE_LIBS) $(CHECK_LIBS) -lutil

check_quit_SOURCES = tests/unit/shell/check_quit.c tests/unit/shell/pty.c tests/unit/shell/pty.h
check_quit_LDADD = $(CHECK_LIBS) -lutil

check_PROGRAMS += check_back
TESTS += check_back tests/unit/shell/check_completion.sh
dist_check_SCRIPTS += tests/unit/shell/check_completion.sh
check_back_SOURCES = tests/unit/shell/check_back.c tests/unit/engine/trace_file.h
check_back_LDADD = $(EZ_SHELL_LIBS) $(CHECK_LIBS)
