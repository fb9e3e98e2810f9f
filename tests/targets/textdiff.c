/* SPDX-License-Identifier: GPL-3.0-or-later */
/* textdiff.c - textdiff PID: do the executable mappings of a process have the bytes of their
 * files? Prints what differs; status 0 = identical, 1 = different, 2 = could not look. */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static int mappings, differ, files;

static void compare(int mem, unsigned long lo, unsigned long hi, unsigned long off,
                    const char *path)
{
    unsigned char a[4096], b[4096];
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0)
        return;
    files++;
    for (unsigned long at = lo; at < hi; at += sizeof a) {
        ssize_t n = pread(fd, b, sizeof b, (off_t)(off + at - lo));
        if (n <= 0)
            break;
        if (pread(mem, a, (size_t)n, (off_t)at) != n) {
            printf("unreadable %lx %s\n", at, path);
            differ++;
            continue;
        }
        for (ssize_t i = 0; i < n; i++) {
            if (a[i] == b[i])
                continue;
            printf("differs %s+0x%lx: %02x, the file %02x\n", path,
                   off + at - lo + (unsigned long)i, a[i], b[i]);
            differ++;
            break;
        }
    }
    close(fd);
}

int main(int argc, char **argv)
{
    char name[64], line[4400];
    if (argc < 2)
        return 2;
    snprintf(name, sizeof name, "/proc/%d/maps", atoi(argv[1]));
    FILE *maps = fopen(name, "re");
    snprintf(name, sizeof name, "/proc/%d/mem", atoi(argv[1]));
    int mem = open(name, O_RDONLY | O_CLOEXEC);
    if (!maps || mem < 0)
        return 2;
    while (fgets(line, sizeof line, maps)) {
        unsigned long lo, hi, off;
        char perm[5], path[4200] = "";
        line[strcspn(line, "\n")] = 0;
        if (sscanf(line, "%lx-%lx %4s %lx %*s %*s %4199[^\n]", &lo, &hi, perm, &off, path) < 5 ||
            perm[2] != 'x' || path[0] != '/')
            continue;
        mappings++;
        compare(mem, lo, hi, off, path);
    }
    printf("%d executable mappings of files, %d compared, %d pages differ\n", mappings, files,
           differ);
    return differ ? 1 : files ? 0 : 2;
}
