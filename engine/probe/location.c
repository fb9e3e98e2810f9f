/* SPDX-License-Identifier: GPL-3.0-or-later */
/* location.c - the parts of a LOCATION that can be told from its text alone (engine/ezt.h).
 * Tests: tests/procs/lines.sh, tests/procs/usdt.sh, tests/procs/inlined.sh */
#include "engine/ezt.h"

#include <string.h>

#include "engine/base/base.h"

/* Returns the address of the colon in lib:func, which is not part of "::" or of an ABI tag
 * ("f[abi:cxx11]"), or NULL if there is none before a "(". */
const char *ez_location_colon(const char *s)
{
    static const char tag[] = "[abi:";
    const size_t n = sizeof tag - 2;
    for (const char *p = s; (p = strchr(p, ':')); p += p[1] == ':' ? 2 : 1) {
        bool tags = p >= s + n && !strncmp(p - n, tag, n + 1);
        if (p[1] != ':' && !tags)
            return strchr(s, '(') && strchr(s, '(') < p ? NULL : p;
    }
    return NULL;
}

const char *ez_location_stap(const char *location)
{
    static const char *const words[] = { EZ_STAP_WORD, "-stap ", "-pstap ", "-probe " };
    for (size_t i = 0; *location == '-' && i < EZ_ARRAY_LEN(words); i++)
        if (!strncmp(location, words[i], strlen(words[i])))
            return location + strlen(words[i]) + strspn(location + strlen(words[i]), " \t");
    return NULL;
}

/* Returns what follows the word `word` at the start of a location, or NULL. */
static const char *location_behind(const char *location, const char *word)
{
    const size_t n = strlen(word);
    return strncmp(location, word, n) ? NULL : location + n + strspn(location + n, " \t");
}

const char *ez_location_inlined(const char *location)
{
    const char *names = location_behind(location, EZ_INLINE_WORD);
    return names ? names : location_behind(location, EZ_INLINE_ALL_WORD);
}

bool ez_location_inlined_all(const char *location)
{
    return location_behind(location, EZ_INLINE_ALL_WORD);
}
