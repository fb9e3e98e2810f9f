static int f(int x)
{
    struct L { int v; int get() const { return v; } };
    return L{ x }.get();
}
int main() { return f(2) - 2; }
