# eztsh-instrument on small and on real programs.
snippets = \
	tests/source/snippets/abort_places.c tests/source/snippets/expected/abort_places.c \
	tests/source/snippets/attributes.c tests/source/snippets/expected/attributes.c \
	tests/source/snippets/blocks.f90 tests/source/snippets/expected/blocks.f90 \
	tests/source/snippets/braces.cc tests/source/snippets/expected/braces.cc \
	tests/source/snippets/constant_functions.cc tests/source/snippets/expected/constant_functions.cc \
	tests/source/snippets/constructors.cc tests/source/snippets/expected/constructors.cc \
	tests/source/snippets/conversions.c tests/source/snippets/expected/conversions.c \
	tests/source/snippets/defaulted.cc tests/source/snippets/expected/defaulted.cc \
	tests/source/snippets/directives.f90 tests/source/snippets/expected/directives.f90 \
	tests/source/snippets/directives_behind.c tests/source/snippets/expected/directives_behind.c \
	tests/source/snippets/directives_inside.c tests/source/snippets/expected/directives_inside.c \
	tests/source/snippets/do_loops.f90 tests/source/snippets/expected/do_loops.f90 \
	tests/source/snippets/directives_loops.f90 tests/source/snippets/expected/directives_loops.f90 \
	tests/source/snippets/duff.c tests/source/snippets/expected/duff.c \
	tests/source/snippets/empty.c tests/source/snippets/expected/empty.c \
	tests/source/snippets/entries.f90 tests/source/snippets/expected/entries.f90 \
	tests/source/snippets/exceptions.cc tests/source/snippets/expected/exceptions.cc \
	tests/source/snippets/falls_off.c tests/source/snippets/expected/falls_off.c \
	tests/source/snippets/fixed.f tests/source/snippets/expected/fixed.f \
	tests/source/snippets/fixed_hard.f tests/source/snippets/expected/fixed_hard.f \
	tests/source/snippets/fixed_labels.f tests/source/snippets/expected/fixed_labels.f \
	tests/source/snippets/fixed_labels_taken.f tests/source/snippets/expected/fixed_labels_taken.f \
	tests/source/snippets/fixed_loops.f tests/source/snippets/expected/fixed_loops.f \
	tests/source/snippets/fixed_shared_labels.f tests/source/snippets/expected/fixed_shared_labels.f \
	tests/source/snippets/fixed_tabs.f tests/source/snippets/expected/fixed_tabs.f \
	tests/source/snippets/function_pointers.c tests/source/snippets/expected/function_pointers.c \
	tests/source/snippets/function_try.cc tests/source/snippets/expected/function_try.cc \
	tests/source/snippets/if_initializer.cc tests/source/snippets/expected/if_initializer.cc \
	tests/source/snippets/if_return.c tests/source/snippets/expected/if_return.c \
	tests/source/snippets/label.c tests/source/snippets/expected/label.c \
	tests/source/snippets/lambda_constant.cc tests/source/snippets/expected/lambda_constant.cc \
	tests/source/snippets/lambda_constant_called.cc tests/source/snippets/expected/lambda_constant_called.cc \
	tests/source/snippets/lambdas.cc tests/source/snippets/expected/lambdas.cc \
	tests/source/snippets/line_numbers.c tests/source/snippets/expected/line_numbers.c \
	tests/source/snippets/literals.f90 tests/source/snippets/expected/literals.f90 \
	tests/source/snippets/local_class.cc tests/source/snippets/expected/local_class.cc \
	tests/source/snippets/long_lines.f90 tests/source/snippets/expected/long_lines.f90 \
	tests/source/snippets/macro_argument.c tests/source/snippets/expected/macro_argument.c \
	tests/source/snippets/macro_body.c tests/source/snippets/expected/macro_body.c \
	tests/source/snippets/macro_constexpr.cc tests/source/snippets/expected/macro_constexpr.cc \
	tests/source/snippets/macro_return.c tests/source/snippets/expected/macro_return.c \
	tests/source/snippets/modules.f90 tests/source/snippets/expected/modules.f90 \
	tests/source/snippets/move_only.cc tests/source/snippets/expected/move_only.cc \
	tests/source/snippets/names_like_keywords.f90 tests/source/snippets/expected/names_like_keywords.f90 \
	tests/source/snippets/namespaces.cc tests/source/snippets/expected/namespaces.cc \
	tests/source/snippets/nested_loops.c tests/source/snippets/expected/nested_loops.c \
	tests/source/snippets/no_program_statement.f90 tests/source/snippets/expected/no_program_statement.f90 \
	tests/source/snippets/no_value.c tests/source/snippets/expected/no_value.c \
	tests/source/snippets/noreturn.c tests/source/snippets/expected/noreturn.c \
	tests/source/snippets/old_loops.cc tests/source/snippets/expected/old_loops.cc \
	tests/source/snippets/old_returns.cc tests/source/snippets/expected/old_returns.cc \
	tests/source/snippets/old_style.c tests/source/snippets/expected/old_style.c \
	tests/source/snippets/one_line_if.f90 tests/source/snippets/expected/one_line_if.f90 \
	tests/source/snippets/openmp.c tests/source/snippets/expected/openmp.c \
	tests/source/snippets/operators.cc tests/source/snippets/expected/operators.cc \
	tests/source/snippets/preprocessed.F90 tests/source/snippets/expected/preprocessed.F90 \
	tests/source/snippets/pure_and_elemental.f90 tests/source/snippets/expected/pure_and_elemental.f90 \
	tests/source/snippets/range_for.cc tests/source/snippets/expected/range_for.cc \
	tests/source/snippets/references.cc tests/source/snippets/expected/references.cc \
	tests/source/snippets/return_comma.c tests/source/snippets/expected/return_comma.c \
	tests/source/snippets/several_statements.f90 tests/source/snippets/expected/several_statements.f90 \
	tests/source/snippets/shadowed_parameter.c tests/source/snippets/expected/shadowed_parameter.c \
	tests/source/snippets/shadowed_type.c tests/source/snippets/expected/shadowed_type.c \
	tests/source/snippets/signatures.cc tests/source/snippets/expected/signatures.cc \
	tests/source/snippets/statement_expression.c tests/source/snippets/expected/statement_expression.c \
	tests/source/snippets/statement_function.f90 tests/source/snippets/expected/statement_function.f90 \
	tests/source/snippets/string_with_braces.c tests/source/snippets/expected/string_with_braces.c \
	tests/source/snippets/structs.c tests/source/snippets/expected/structs.c \
	tests/source/snippets/structured_binding.cc tests/source/snippets/expected/structured_binding.cc \
	tests/source/snippets/submodules.f90 tests/source/snippets/expected/submodules.f90 \
	tests/source/snippets/switch.c tests/source/snippets/expected/switch.c \
	tests/source/snippets/templates.cc tests/source/snippets/expected/templates.cc \
	tests/source/snippets/throw_expression.cc tests/source/snippets/expected/throw_expression.cc \
	tests/source/snippets/trigraph_free.c tests/source/snippets/expected/trigraph_free.c \
	tests/source/snippets/vla.c tests/source/snippets/expected/vla.c \
	tests/source/snippets/void_returns_void.c tests/source/snippets/expected/void_returns_void.c \
	tests/source/snippets/.clang-format \
	tests/source/snippets.spec tests/source/calls.c tests/source/calls.h
EXTRA_DIST += tests/source/lib.sh $(snippets)
TESTS += tests/source/snippets.sh
dist_check_SCRIPTS += tests/source/snippets.sh

# Real programs, whose sources are fetched by tests/source/sources.sh (./quickstart test does).
TESTS += tests/source/command.sh tests/source/wrapper.sh tests/source/programs.sh tests/source/lapack.sh
dist_check_SCRIPTS += tests/source/command.sh tests/source/wrapper.sh tests/source/programs.sh tests/source/lapack.sh tests/source/sources.sh
EXTRA_DIST += tests/source/counts.c tests/source/counts.spec

# Names and lines against debug information; programs of MPI.
TESTS += tests/source/dwarf.sh tests/source/mpi.sh
dist_check_SCRIPTS += tests/source/dwarf.sh tests/source/mpi.sh
EXTRA_DIST += tests/source/dwarf.py tests/source/dwarf.spec tests/source/entered.c

# The interfaces of measurement systems, for the specifications of examples/specs/; one specification in both ways.
TESTS += tests/source/apis.sh tests/source/both.sh tests/source/inside.sh tests/source/places.sh tests/source/types.sh tests/source/names.sh
dist_check_SCRIPTS += tests/source/apis.sh tests/source/both.sh tests/source/inside.sh tests/source/places.sh tests/source/types.sh tests/source/names.sh
EXTRA_DIST += tests/source/apis/api.h tests/source/apis/apis.c tests/source/apis/epik_user.h tests/source/apis/vt_user.h \
	tests/source/apis/TAU.h tests/source/apis/scorep/SCOREP_User.h
