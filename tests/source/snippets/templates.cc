#include <string>
template <class T> struct Box {
    T t;
    T get() const { return t; }
    template <class U> U as() { return U(t); }
    static int n() { return 3; }
};
template <class T> T larger(T a, T b) { return a < b ? b : a; }
template <> int larger<int>(int a, int b) { return a > b ? a : b; }
int main() { Box<int> b{ 3 }; return (int)b.as<double>() - b.get() + larger(1, 2) - 2 + (larger(1.5, 2.5) != 2.5) + Box<int>::n() - 3; }
