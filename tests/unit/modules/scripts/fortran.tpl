BEGIN_MODULE
NAME fortran
LANGUAGE FORTRAN
ID 20
SUBROUTINE Store(INTEGER n, REAL8 values[], CHARACTER name, CHARACTER unit)
BEGIN
    IF (&n) # an OPTIONAL argument may be absent
        SET_VAR("n", n)
        SET_VAR("second", values[1])
    END_IF
    CALL_FUNC
    IF (&n)
        SET_VAR("n behind", n)
    END_IF
    SET_VAR("letters", name_len * 100 + unit_len)
END
REAL8 mean(INTEGER n, REAL8 values[])
BEGIN
    CALL_FUNC
    SET_VAR("mean", RESULT)
END
CHARACTER label(VALUE INTEGER n)
BEGIN
    SET_VAR("n", n)
    CALL_FUNC
    SET_VAR("first", RESULT[0])
END
END_MODULE
