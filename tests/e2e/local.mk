# Whole sessions: each NAME.ezt with what it prints, NAME.out.
TESTS += tests/e2e/run.sh
dist_check_SCRIPTS += tests/e2e/run.sh
EXTRA_DIST += tests/e2e
