struct S { S() = default; S(const S &) = delete; int v = 3; int get() { return v; } };
int main() { S s; return s.get() - 3; }
