static int n;
struct B { int b; explicit B(int x) : b(x) { n++; } virtual ~B() { n--; } };
struct D : B { int d; D() : B(1), d{2} {} ~D() override {} };
int main() { { D d; n += d.b + d.d - 3; } return n; }
