#include <stdexcept>
static int t(int x) { if (x) throw std::runtime_error("e"); return 1; }
static int f(int x) { try { return t(x); } catch (const std::exception &) { return 2; } catch (...) { throw; } }
int main() { return f(0) + f(1) - 3; }
