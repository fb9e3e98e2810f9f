# Whole sessions: each NAME.ezt with what it prints, NAME.out.
TESTS += tests/e2e/run.sh
dist_check_SCRIPTS += tests/e2e/run.sh
EXTRA_DIST += $(e2e_sessions:=.ezt) $(e2e_sessions:=.out)
e2e_sessions = tests/e2e/errors tests/e2e/settings
