# rows.tpl - a module for examples/demo: with what its steps and rows are called, and what comes
# of it. Language: doc/MODULES.md.
BEGIN_MODULE
NAME rows
DESC "Rows of the plate, and the heat that flows"
ID 30

double kernel_row(double *to, const double *up, const double *here, const double *down, int n)
BEGIN
    ADD_VAR("Cells", n)
    RECORD_STATE("Computing a row")
    CALL_FUNC
    ADD_VAR("Flow", RESULT)
END
END_MODULE
