struct s { const int a; int b; };
static struct s f(int a) { return (struct s){ a, a * 2 }; }
static union { int i; float f; } u;
int main(void) { u.i = f(4).b; return u.i - 8; }
