__thread int lib_tls = 77;
__thread int lib_arr[3] = { 1, 2, 3 };
static __thread long lib_priv = 5;
int lib_step(int n)
{
    lib_tls += n;
    lib_priv += n;
    lib_arr[1] += n;
    return lib_tls + (int)lib_priv;
}
