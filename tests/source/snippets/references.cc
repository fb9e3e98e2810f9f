static int &ref(int &x) { return x; }
static decltype(auto) da(int &x) { return (x); }
static auto au(int x) { return x * 2.5; }
int main() { int q = 1; ref(q)++; da(q) = q + 1; return q - 3 + (au(2) != 5); }
