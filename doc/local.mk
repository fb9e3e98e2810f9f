# The manual and the how-tos. `make man` renews the options in the pages of the programs beside eztsh.
dist_man_MANS += doc/eztsh.1 doc/eztsh-modc.1 doc/eztsh-instrument.1
nobase_dist_doc_DATA += README.md CONTRIBUTING.md NEWS doc/README.md doc/eztsh.texi doc/eztsh.1.in doc/HOWTO_COMMAND.md doc/GLOSSARY.md doc/HOWTO_ARCH.md doc/HOWTO_FAULT_TEST.md doc/HOWTO_FORMAT.md doc/HOWTO_MODULE.md doc/HOWTO_SPEC.md doc/HOWTO_TEST.md doc/RELEASING.md doc/JSON.md doc/JOBS.md doc/SECURITY.md doc/TUTORIAL.md doc/TUTORIAL_JOBS.md \
	doc/FAULTS.md doc/INTERNALS.md doc/LIMITS.md doc/MODULES.md doc/REFERENCES.md doc/SCALE.md
.PHONY: man
man: eztsh$(EXEEXT) doc/eztsh.1 doc/commands.texi eztsh-modc$(EXEEXT) eztsh-instrument$(EXEEXT)
	srcdir=$(srcdir) $(SHELL) $(srcdir)/tests/unit/shell/check_man.sh -u

# The pictures of README.md and TUTORIAL.md, of real runs; python3, and Chromium for the one of a report.
EXTRA_DIST += doc/pictures.py
nobase_dist_doc_DATA += doc/session.svg doc/report.png doc/scale.svg
.PHONY: pictures
pictures: eztsh$(EXEEXT)
	python3 -B $(srcdir)/doc/pictures.py $(abs_builddir)/eztsh$(EXEEXT) $(srcdir)/examples $(srcdir)/doc

# Completion of the command line; the lists are those of eztsh's options and commands, and a test compares.
bashcompletiondir = $(datadir)/bash-completion/completions
dist_bashcompletion_DATA = doc/completion/eztsh.bash
zshfunctionsdir = $(datadir)/zsh/site-functions
dist_zshfunctions_DATA = doc/completion/_eztsh
fishcompletiondir = $(datadir)/fish/vendor_completions.d
dist_fishcompletion_DATA = doc/completion/eztsh.fish
.PHONY: completion
completion: eztsh$(EXEEXT)
	srcdir=$(srcdir) $(SHELL) $(srcdir)/tests/unit/shell/check_completion.sh -u

# The commands' chapter of both manuals, which the program prints. The tarball has both files: where the program cannot
# run, make finds these, and in a checkout makes manuals that refer to `help`.
check_DATA += doc/commands.texi
ez_whole_manual =
if EZ_RUNS
doc/eztsh.1: $(srcdir)/doc/eztsh.1.in eztsh$(EXEEXT)
	$(AM_V_GEN)$(MKDIR_P) doc && ./eztsh$(EXEEXT) --dump-man >$@.chapter
	$(AM_V_at)awk -v chapter=$@.chapter ' \
	    /^\.SH/ { replaced = /^\.SH COMMANDS/ } \
	    /^\.SH COMMANDS/ { while ((getline line <chapter) > 0) print line } \
	    !replaced' $(srcdir)/doc/eztsh.1.in >$@.new
	$(AM_V_at)rm -f $@.chapter && mv -f $@.new $@
doc/commands.texi: eztsh$(EXEEXT)
	$(AM_V_GEN)$(MKDIR_P) doc && ./eztsh$(EXEEXT) --dump-texinfo >$@.new
	$(AM_V_at)mv -f $@.new $@
else
doc/eztsh.1:
	$(AM_V_GEN)$(MKDIR_P) doc && cp $(srcdir)/doc/eztsh.1.in $@
doc/commands.texi:
	$(AM_V_GEN)$(MKDIR_P) doc && echo 'The command @command{help} lists the commands.' >$@
ez_whole_manual += whole-manual
whole-manual:
	@test -f $(srcdir)/doc/eztsh.1 || { echo "The tarball's manual can be made only where eztsh runs." >&2; exit 1; }
endif
.PHONY: whole-manual

# The manual for info; `make html pdf` makes others. Without makeinfo a checkout is built without it, and so is
# its tarball. (automake knows no info_TEXINFOS that depends on a condition.)
EXTRA_DIST += doc/commands.texi
ez_info =
dist-hook: $(ez_info) $(ez_whole_manual)
	for f in $(ez_info); do \
	    test -f $$f && from=$$f || from=$(srcdir)/$$f; \
	    cp -p "$$from" "$(distdir)/$$f" || exit 1; \
	done
if EZ_INFO
ez_info += doc/eztsh.info
ezinfodir = $(infodir)
ezinfo_DATA = doc/eztsh.info
if EZ_MAKEINFO
doc/eztsh.info: $(srcdir)/doc/eztsh.texi doc/commands.texi
	$(AM_V_GEN)$(MKDIR_P) doc && $(MAKEINFO) --no-split -I doc -I $(srcdir)/doc -o doc/eztsh.info $(srcdir)/doc/eztsh.texi
endif
info-local: doc/eztsh.info
else
info-local:
	@echo "info: skipped: there is no makeinfo (texinfo)"
endif
html-local: doc/commands.texi
	@if command -v makeinfo >/dev/null; then \
	    $(MKDIR_P) doc && makeinfo --html --no-split -I doc -I "$(srcdir)/doc" -o doc/eztsh.html "$(srcdir)/doc/eztsh.texi"; \
	else \
	    echo "html: skipped: there is no makeinfo (texinfo)"; \
	fi
pdf-local: doc/commands.texi
	@if command -v texi2dvi >/dev/null && command -v "$${PDFTEX:-pdftex}" >/dev/null; then \
	    $(MKDIR_P) doc && texi2dvi --pdf --batch --quiet --build=clean --build-dir=doc/eztsh.t2p -I doc -I "$(srcdir)/doc" \
	        -o doc/eztsh.pdf "$(srcdir)/doc/eztsh.texi" && rm -rf doc/eztsh.t2p; \
	else \
	    echo "pdf: skipped: there is no TeX (Debian: texinfo and texlive-base)"; \
	fi
CLEANFILES += doc/eztsh.html doc/eztsh.pdf
clean-doc:
	rm -rf doc/eztsh.t2p
clean-local: clean-doc
.PHONY: clean-doc
made_manuals = doc/eztsh.1 doc/commands.texi doc/eztsh.info
MAINTAINERCLEANFILES = $(made_manuals)
distclean-local:
	test . = "$(srcdir)" || rm -f $(made_manuals)
