static int f(int x) { return x \
    + 1; } // a comment \
that goes on
int main(void) { return f(1) - 2; }
