#include <string>
#include <utility>
static std::pair<int, std::string> f() { return { 1, "x" }; }
static int g() { return {}; }
int main() { return f().first - 1 + g(); }
