# Whole sessions: each NAME.ezt with what it prints, NAME.out.
TESTS += tests/e2e/run.sh tests/e2e/readme.sh tests/e2e/howto.sh tests/e2e/pictures.sh tests/e2e/install.sh
dist_check_SCRIPTS += tests/e2e/run.sh tests/e2e/readme.sh tests/e2e/howto.sh tests/e2e/pictures.sh tests/e2e/install.sh
# No list of them: run.sh runs all that are in the folder, and the tarball has all.
dist-hook: dist-sessions
dist-sessions:
	cp -p $(srcdir)/tests/e2e/*.ezt $(srcdir)/tests/e2e/*.out $(distdir)/tests/e2e/
.PHONY: dist-sessions
