# The manual and the how-tos. `make man` renews the manual's command chapter.
dist_man_MANS += doc/eztsh.1
EXTRA_DIST += doc/HOWTO_COMMAND.md doc/GLOSSARY.md doc/HOWTO_ARCH.md doc/HOWTO_FAULT_TEST.md doc/HOWTO_FORMAT.md doc/HOWTO_MODULE.md doc/JSON.md \
	doc/FAULTS.md doc/INTERNALS.md doc/LIMITS.md doc/MODULES.md doc/REFERENCES.md
.PHONY: man
man: eztsh$(EXEEXT)
	srcdir=$(srcdir) $(SHELL) $(srcdir)/tests/unit/shell/check_man.sh -u

# Completion of the command line; the lists are those of `eztsh -help`, and a test compares.
bashcompletiondir = $(datadir)/bash-completion/completions
dist_bashcompletion_DATA = doc/completion/eztsh.bash
zshfunctionsdir = $(datadir)/zsh/site-functions
dist_zshfunctions_DATA = doc/completion/_eztsh
.PHONY: completion
completion: eztsh$(EXEEXT)
	srcdir=$(srcdir) $(SHELL) $(srcdir)/tests/unit/shell/check_completion.sh -u
