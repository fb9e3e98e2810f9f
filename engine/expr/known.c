/* SPDX-License-Identifier: GPL-3.0-or-later */
/* known.c - prototypes of libc and POSIX functions. They are used for a libc without debug
 * information, and because debug information has no names for flags (proto.h).
 *
 * Tests: tests/unit/dwarf/check_dwarf.c */
#include <dirent.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <time.h>

#include "engine/expr/proto.h"

/* ---- flags ----------------------------------------------------------------------------------- */

#define NAME(x)                                                                                    \
    {                                                                                              \
#x, x                                                                                      \
    }
static const struct ez_enumerator known_open_flags[] = {
    NAME(O_RDONLY),  NAME(O_WRONLY),    NAME(O_RDWR),     NAME(O_CREAT),    NAME(O_EXCL),
    NAME(O_NOCTTY),  NAME(O_TRUNC),     NAME(O_APPEND),   NAME(O_NONBLOCK), NAME(O_DSYNC),
    NAME(O_ASYNC),   NAME(O_DIRECTORY), NAME(O_NOFOLLOW), NAME(O_CLOEXEC),  NAME(O_DIRECT),
    NAME(O_NOATIME), NAME(O_PATH)
};
static const struct ez_enumerator known_mmap_prot[] = { NAME(PROT_NONE), NAME(PROT_READ),
                                                        NAME(PROT_WRITE), NAME(PROT_EXEC) };
static const struct ez_enumerator known_mmap_flags[] = { NAME(MAP_SHARED),    NAME(MAP_PRIVATE),
                                                         NAME(MAP_FIXED),     NAME(MAP_ANONYMOUS),
                                                         NAME(MAP_GROWSDOWN), NAME(MAP_NORESERVE),
                                                         NAME(MAP_POPULATE),  NAME(MAP_NONBLOCK),
                                                         NAME(MAP_STACK),     NAME(MAP_HUGETLB) };
static const struct ez_enumerator known_madvise_advice[] = {
    NAME(MADV_NORMAL),   NAME(MADV_RANDOM), NAME(MADV_SEQUENTIAL), NAME(MADV_WILLNEED),
    NAME(MADV_DONTNEED), NAME(MADV_FREE),   NAME(MADV_HUGEPAGE),   NAME(MADV_NOHUGEPAGE)
};
static const struct ez_enumerator known_seek_whence[] = { NAME(SEEK_SET), NAME(SEEK_CUR),
                                                          NAME(SEEK_END) };
static const struct ez_enumerator known_socket_domain[] = { NAME(AF_UNSPEC),  NAME(AF_UNIX),
                                                            NAME(AF_INET),    NAME(AF_INET6),
                                                            NAME(AF_NETLINK), NAME(AF_PACKET) };
static const struct ez_enumerator known_access_mode[] = { NAME(F_OK), NAME(X_OK), NAME(W_OK),
                                                          NAME(R_OK) };
static const struct ez_enumerator known_msg_flags[] = { NAME(MSG_OOB),       NAME(MSG_PEEK),
                                                        NAME(MSG_DONTROUTE), NAME(MSG_TRUNC),
                                                        NAME(MSG_DONTWAIT),  NAME(MSG_WAITALL),
                                                        NAME(MSG_NOSIGNAL),  NAME(MSG_MORE) };
static const struct ez_enumerator known_fcntl_command[] = {
    NAME(F_DUPFD), NAME(F_GETFD), NAME(F_SETFD),  NAME(F_GETFL),        NAME(F_SETFL),
    NAME(F_GETLK), NAME(F_SETLK), NAME(F_SETLKW), NAME(F_DUPFD_CLOEXEC)
};
static const struct ez_enumerator known_signal_number[] = {
    NAME(SIGHUP),  NAME(SIGINT),  NAME(SIGQUIT), NAME(SIGILL),  NAME(SIGTRAP), NAME(SIGABRT),
    NAME(SIGBUS),  NAME(SIGFPE),  NAME(SIGKILL), NAME(SIGUSR1), NAME(SIGSEGV), NAME(SIGUSR2),
    NAME(SIGPIPE), NAME(SIGALRM), NAME(SIGTERM), NAME(SIGCHLD), NAME(SIGCONT), NAME(SIGSTOP)
};
static const struct ez_enumerator known_poll_control[] = { NAME(EPOLL_CTL_ADD), NAME(EPOLL_CTL_DEL),
                                                           NAME(EPOLL_CTL_MOD) };
static const struct ez_enumerator known_clock_name[] = {
    NAME(CLOCK_REALTIME),          NAME(CLOCK_MONOTONIC),     NAME(CLOCK_PROCESS_CPUTIME_ID),
    NAME(CLOCK_THREAD_CPUTIME_ID), NAME(CLOCK_MONOTONIC_RAW), NAME(CLOCK_REALTIME_COARSE),
    NAME(CLOCK_MONOTONIC_COARSE),  NAME(CLOCK_BOOTTIME)
};

#define ENUM(x)                                                                                    \
    {                                                                                              \
        .kind = EZ_TY_ENUM, .size = 4, .name = #x, .enumerator = known_##x,                        \
        .nenumerators = EZ_ARRAY_LEN(known_##x)                                                    \
    }
static const struct ez_type enums[] = {
    ENUM(open_flags),    ENUM(mmap_prot),     ENUM(mmap_flags),   ENUM(madvise_advice),
    ENUM(seek_whence),   ENUM(socket_domain), ENUM(access_mode),  ENUM(msg_flags),
    ENUM(fcntl_command), ENUM(signal_number), ENUM(poll_control), ENUM(clock_name),
};

/* ---- types ----------------------------------------------------------------------------------- */

static const struct {
    const char *name, *base;
} typedefs[] = {
    { "size_t", "unsigned long" },
    { "ssize_t", "long" },
    { "off_t", "long" },
    { "off64_t", "long" },
    { "intptr_t", "long" },
    { "uintptr_t", "unsigned long" },
    { "ptrdiff_t", "long" },
    { "time_t", "long" },
    { "mode_t", "unsigned" },
    { "pid_t", "int" },
    { "uid_t", "unsigned" },
    { "gid_t", "unsigned" },
    { "socklen_t", "unsigned" },
    { "pthread_t", "unsigned long" },
    { "int8_t", "signed char" },
    { "uint8_t", "unsigned char" },
    { "int16_t", "short" },
    { "uint16_t", "unsigned short" },
    { "int32_t", "int" },
    { "uint32_t", "unsigned" },
    { "int64_t", "long" },
    { "uint64_t", "unsigned long" },
    { "wchar_t", "int" },
    { "clockid_t", "int" },
    { "FILE", "void" },
    { "DIR", "void" },
    { "sem_t", "void" },
    { "fd_set", "void" },
    { "pthread_attr_t", "void" },
    { "pthread_mutex_t", "void" },
    { "pthread_cond_t", "void" },
    { "pthread_rwlock_t", "void" },
    { "pthread_barrier_t", "void" },
};

const struct ez_type *ez_known_type(const char *name)
{
    for (size_t i = 0; i < EZ_ARRAY_LEN(typedefs); i++)
        if (!strcmp(typedefs[i].name, name))
            return ez_type_base(typedefs[i].base);
    for (size_t i = 0; i < EZ_ARRAY_LEN(enums); i++)
        if (!strcmp(enums[i].name, name))
            return &enums[i];
    return NULL;
}

/* ---- functions ------------------------------------------------------------------------------- */

static const char *const prototypes[] = {
    "int open(const char *path, open_flags flags, ...)",
    "int open64(const char *path, open_flags flags, ...)",
    "int openat(int dirfd, const char *path, open_flags flags, ...)",
    "int openat64(int dirfd, const char *path, open_flags flags, ...)",
    "int creat(const char *path, mode_t mode)",
    "int close(int fd)",
    "ssize_t read(int fd, void *buf, size_t count)",
    "ssize_t write(int fd, const void *buf, size_t count)",
    "ssize_t pread(int fd, void *buf, size_t count, off_t offset)",
    "ssize_t pread64(int fd, void *buf, size_t count, off_t offset)",
    "ssize_t pwrite(int fd, const void *buf, size_t count, off_t offset)",
    "ssize_t pwrite64(int fd, const void *buf, size_t count, off_t offset)",
    "ssize_t readv(int fd, const struct iovec *iov, int iovcnt)",
    "ssize_t writev(int fd, const struct iovec *iov, int iovcnt)",
    "off_t lseek(int fd, off_t offset, seek_whence whence)",
    "off_t lseek64(int fd, off_t offset, seek_whence whence)",
    "int fsync(int fd)",
    "int fdatasync(int fd)",
    "int ftruncate(int fd, off_t length)",
    "int ftruncate64(int fd, off_t length)",
    "int truncate(const char *path, off_t length)",
    "int fallocate(int fd, int mode, off_t offset, off_t len)",
    "int posix_fallocate(int fd, off_t offset, off_t len)",
    "int fcntl(int fd, fcntl_command cmd, ...)",
    "int fcntl64(int fd, fcntl_command cmd, ...)",
    "int ioctl(int fd, unsigned long request, ...)",
    "int flock(int fd, int operation)",
    "int dup(int oldfd)",
    "int dup2(int oldfd, int newfd)",
    "int dup3(int oldfd, int newfd, open_flags flags)",
    "int pipe(int *fds)",
    "int pipe2(int *fds, open_flags flags)",
    "int access(const char *path, access_mode mode)",
    "int stat(const char *path, struct stat *buf)",
    "int stat64(const char *path, struct stat *buf)",
    "int lstat(const char *path, struct stat *buf)",
    "int fstat(int fd, struct stat *buf)",
    "int fstat64(int fd, struct stat *buf)",
    "int chmod(const char *path, mode_t mode)",
    "int chown(const char *path, uid_t owner, gid_t group)",
    "int unlink(const char *path)",
    "int unlinkat(int dirfd, const char *path, int flags)",
    "int rename(const char *oldpath, const char *newpath)",
    "int link(const char *oldpath, const char *newpath)",
    "int symlink(const char *target, const char *linkpath)",
    "ssize_t readlink(const char *path, char *buf, size_t size)",
    "int mkdir(const char *path, mode_t mode)",
    "int rmdir(const char *path)",
    "int chdir(const char *path)",
    "char *getcwd(char *buf, size_t size)",
    "DIR *opendir(const char *name)",
    "struct dirent *readdir(DIR *dir)",
    "int closedir(DIR *dir)",
    "char *realpath(const char *path, char *resolved)",
    "int remove(const char *path)",
    "FILE *fopen(const char *path, const char *mode)",
    "FILE *fopen64(const char *path, const char *mode)",
    "FILE *fdopen(int fd, const char *mode)",
    "FILE *popen(const char *command, const char *mode)",
    "int fclose(FILE *stream)",
    "int pclose(FILE *stream)",
    "int fflush(FILE *stream)",
    "size_t fread(void *ptr, size_t size, size_t n, FILE *stream)",
    "size_t fwrite(const void *ptr, size_t size, size_t n, FILE *stream)",
    "char *fgets(char *s, int size, FILE *stream)",
    "int fputs(const char *s, FILE *stream)",
    "int puts(const char *s)",
    "int fputc(int c, FILE *stream)",
    "int fgetc(FILE *stream)",
    "int fseek(FILE *stream, long offset, seek_whence whence)",
    "long ftell(FILE *stream)",
    "int printf(const char *format, ...)",
    "int fprintf(FILE *stream, const char *format, ...)",
    "int sprintf(char *str, const char *format, ...)",
    "int snprintf(char *str, size_t size, const char *format, ...)",
    "int sscanf(const char *str, const char *format, ...)",
    "void perror(const char *s)",
    "void *mmap(void *addr, size_t length, mmap_prot prot, mmap_flags flags, int fd, off_t offset)",
    "void *mmap64(void *addr, size_t length, mmap_prot prot, mmap_flags flags, int fd, off_t "
    "offset)",
    "int munmap(void *addr, size_t length)",
    "int mprotect(void *addr, size_t length, mmap_prot prot)",
    "void *mremap(void *old, size_t old_size, size_t new_size, int flags, ...)",
    "int madvise(void *addr, size_t length, madvise_advice advice)",
    "int msync(void *addr, size_t length, int flags)",
    "int brk(void *addr)",
    "void *sbrk(intptr_t increment)",
    "void *malloc(size_t size)",
    "void free(void *ptr)",
    "void *calloc(size_t n, size_t size)",
    "void *realloc(void *ptr, size_t size)",
    "void *aligned_alloc(size_t alignment, size_t size)",
    "int posix_memalign(void **memptr, size_t alignment, size_t size)",
    "void *memcpy(void *dest, const void *src, size_t n)",
    "void *memmove(void *dest, const void *src, size_t n)",
    "void *memset(void *s, int c, size_t n)",
    "int memcmp(const void *a, const void *b, size_t n)",
    "void *memchr(const void *s, int c, size_t n)",
    "size_t strlen(const char *s)",
    "char *strcpy(char *dest, const char *src)",
    "char *strncpy(char *dest, const char *src, size_t n)",
    "char *strcat(char *dest, const char *src)",
    "int strcmp(const char *a, const char *b)",
    "int strncmp(const char *a, const char *b, size_t n)",
    "int strcasecmp(const char *a, const char *b)",
    "char *strchr(const char *s, int c)",
    "char *strrchr(const char *s, int c)",
    "char *strstr(const char *haystack, const char *needle)",
    "char *strdup(const char *s)",
    "char *strtok(char *str, const char *delim)",
    "long strtol(const char *s, char **end, int base)",
    "unsigned long strtoul(const char *s, char **end, int base)",
    "double strtod(const char *s, char **end)",
    "int atoi(const char *s)",
    "void qsort(void *base, size_t n, size_t size, int (*compare)(const void *, const void *))",
    "void *bsearch(const void *key, const void *base, size_t n, size_t size, int (*compare)(const "
    "void *, const void *))",
    "char *getenv(const char *name)",
    "int setenv(const char *name, const char *value, int overwrite)",
    "void exit(int status)",
    "void _exit(int status)",
    "void abort(void)",
    "int system(const char *command)",
    "int execve(const char *path, char **argv, char **envp)",
    "int execvp(const char *file, char **argv)",
    "pid_t fork(void)",
    "pid_t wait(int *status)",
    "pid_t waitpid(pid_t pid, int *status, int options)",
    "int kill(pid_t pid, signal_number sig)",
    "int raise(signal_number sig)",
    "int sigaction(signal_number sig, const struct sigaction *act, struct sigaction *old)",
    "pid_t getpid(void)",
    "uid_t getuid(void)",
    "unsigned sleep(unsigned seconds)",
    "int usleep(unsigned usec)",
    "int nanosleep(const struct timespec *req, struct timespec *rem)",
    "int clock_gettime(clock_name clock, struct timespec *tp)",
    "int gettimeofday(struct timeval *tv, void *tz)",
    "time_t time(time_t *t)",
    "int sched_yield(void)",
    "int pthread_create(pthread_t *thread, const pthread_attr_t *attr, void *(*start)(void *), "
    "void *arg)",
    "int pthread_join(pthread_t thread, void **result)",
    "int pthread_detach(pthread_t thread)",
    "void pthread_exit(void *result)",
    "int pthread_mutex_lock(pthread_mutex_t *mutex)",
    "int pthread_mutex_trylock(pthread_mutex_t *mutex)",
    "int pthread_mutex_unlock(pthread_mutex_t *mutex)",
    "int pthread_cond_wait(pthread_cond_t *cond, pthread_mutex_t *mutex)",
    "int pthread_cond_timedwait(pthread_cond_t *cond, pthread_mutex_t *mutex, const struct "
    "timespec *until)",
    "int pthread_cond_signal(pthread_cond_t *cond)",
    "int pthread_cond_broadcast(pthread_cond_t *cond)",
    "int pthread_rwlock_rdlock(pthread_rwlock_t *lock)",
    "int pthread_rwlock_wrlock(pthread_rwlock_t *lock)",
    "int pthread_rwlock_unlock(pthread_rwlock_t *lock)",
    "int pthread_barrier_wait(pthread_barrier_t *barrier)",
    "int pthread_setname_np(pthread_t thread, const char *name)",
    "int sem_wait(sem_t *sem)",
    "int sem_post(sem_t *sem)",
    "int socket(socket_domain domain, int type, int protocol)",
    "int connect(int fd, const struct sockaddr *addr, socklen_t len)",
    "int bind(int fd, const struct sockaddr *addr, socklen_t len)",
    "int listen(int fd, int backlog)",
    "int accept(int fd, struct sockaddr *addr, socklen_t *len)",
    "int accept4(int fd, struct sockaddr *addr, socklen_t *len, int flags)",
    "ssize_t send(int fd, const void *buf, size_t len, msg_flags flags)",
    "ssize_t recv(int fd, void *buf, size_t len, msg_flags flags)",
    "ssize_t sendto(int fd, const void *buf, size_t len, msg_flags flags, const struct sockaddr "
    "*to, socklen_t tolen)",
    "ssize_t recvfrom(int fd, void *buf, size_t len, msg_flags flags, struct sockaddr *from, "
    "socklen_t *fromlen)",
    "ssize_t sendmsg(int fd, const struct msghdr *msg, msg_flags flags)",
    "ssize_t recvmsg(int fd, struct msghdr *msg, msg_flags flags)",
    "int shutdown(int fd, int how)",
    "int setsockopt(int fd, int level, int option, const void *value, socklen_t len)",
    "int getaddrinfo(const char *node, const char *service, const struct addrinfo *hints, struct "
    "addrinfo **result)",
    "int poll(struct pollfd *fds, unsigned long n, int timeout)",
    "int select(int n, fd_set *readfds, fd_set *writefds, fd_set *exceptfds, struct timeval "
    "*timeout)",
    "int epoll_create1(int flags)",
    "int epoll_ctl(int epfd, poll_control op, int fd, struct epoll_event *event)",
    "int epoll_wait(int epfd, struct epoll_event *events, int maxevents, int timeout)",
    "int eventfd(unsigned initial, int flags)",
    "void *dlopen(const char *file, int flags)",
    "void *dlsym(void *handle, const char *name)",
    "int dlclose(void *handle)",
};

const char *ez_known_prototype(const char *function)
{
    size_t n = strlen(function);
    for (size_t i = 0; i < EZ_ARRAY_LEN(prototypes); i++) {
        const char *open = strchr(prototypes[i], '(');
        const char *name = open - n;
        if ((size_t)(open - prototypes[i]) > n && !memcmp(name, function, n) &&
            strchr(" *", name[-1]))
            return prototypes[i];
    }
    return NULL;
}

size_t ez_known_count(void)
{
    return EZ_ARRAY_LEN(prototypes);
}

const char *ez_known_at(size_t i)
{
    return prototypes[i];
}
