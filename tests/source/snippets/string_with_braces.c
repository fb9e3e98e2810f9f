static const char *f(void) { return "}; return 1; {" /* } */
    "c"; }
int main(void) { return f()[0] - '}'; }
