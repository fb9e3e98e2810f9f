# The shell: everything but main() in a library, so that the tests link it too.
noinst_LIBRARIES += libezt_shell.a
libezt_shell_a_SOURCES = \
	shell/command.c shell/command.h \
	shell/complete.c shell/complete.h shell/dispatch.c shell/dispatch.h shell/ending.c shell/ending.h shell/event.c shell/front.c shell/front.h shell/gdb_words.c shell/gdb_words.h \
	shell/help.c shell/help.h shell/hooks.c shell/hooks.h shell/lex.c shell/lex.h shell/lookup.c shell/lookup.h shell/loop.c shell/loop.h \
	shell/opt.c shell/opt.h shell/options.c shell/options.h shell/out.c shell/out.h shell/out_value.c shell/repl.c shell/repl.h shell/request.c shell/request.h \
	shell/parse_word.c shell/parse_word.h \
	shell/check_session.c shell/check_session.h shell/kept.c shell/mask_addresses.c shell/mask_addresses.h shell/record.c shell/record.h shell/screen.c shell/screen.h shell/script.c shell/script.h shell/sess.c shell/sess.h \
	shell/settings.c shell/settings.h \
	shell/table.c shell/tool_words.c shell/width.c shell/width.h shell/wire.c shell/wire.h

bin_PROGRAMS += eztsh
eztsh_SOURCES = shell/main.c
EZ_SHELL_LIBS = libezt_shell.a libezt_modules.a $(EZ_ENGINE_LIBS) $(READLINE_LIBS) $(CURSES_LIBS)
eztsh_LDADD = $(EZ_SHELL_LIBS)
