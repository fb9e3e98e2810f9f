namespace a { inline namespace b { namespace { int z(const char *s = "a\"b") noexcept { return s[0]; } } } }
int main() { return a::z() - 'a'; }
