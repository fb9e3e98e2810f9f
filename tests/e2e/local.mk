# Whole sessions: each NAME.ezt with what it prints, NAME.out.
TESTS += tests/e2e/run.sh tests/e2e/readme.sh tests/e2e/howto.sh tests/e2e/pictures.sh
dist_check_SCRIPTS += tests/e2e/run.sh tests/e2e/readme.sh tests/e2e/howto.sh tests/e2e/pictures.sh
e2e_sessions = background convert entries errors exact flow follow inject jumps life live look matching measure memory messages mistakes mmap \
	pending probes refused scripts settings tables threads trace transact usage watch
EXTRA_DIST += $(e2e_sessions:%=tests/e2e/%.ezt) $(e2e_sessions:%=tests/e2e/%.out)
