// Interposes C library calls (LD_PRELOAD) and makes one call for writing files fail.
//
//     FAULT_LOG=FILE       a log of the calls, one name per line in order; the failing call is followed by !
//     FAULT_AT=N           the failing call, counted from 1
//     FAULT_ERROR=E        the call fails with this errno, without any effect
//     FAULT_SHORT=1        a write writes one byte; other calls are unchanged
//     FAULT_SIGNAL=S       the process receives this signal before the call
//     FAULT_LATE=1         the signal comes after the call
//
// Calls on system files are not counted. Programs that the tool starts are not affected.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <unistd.h>

static int at, error, makes_short, number, is_late, calls, log_file = -1;

static int setting(const char *name) {
    const char *text = getenv(name);
    return text ? atoi(text) : 0;
}

__attribute__((constructor)) static void begin(void) {
    error = setting("FAULT_ERROR");
    makes_short = setting("FAULT_SHORT");
    number = setting("FAULT_SIGNAL");
    is_late = setting("FAULT_LATE");
    const char *path = getenv("FAULT_LOG");
    if (path) log_file = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
    at = setting("FAULT_AT"); // Set after opening the log, which is a call, too.
    unsetenv("LD_PRELOAD");
    // The parent process may have blocked or ignored signals, which is inherited.
    sigset_t all;
    sigfillset(&all);
    sigprocmask(SIG_UNBLOCK, &all, NULL);
    if (number && number != SIGKILL) signal(number, SIG_DFL);
}

// Counts a call and returns whether it is the failing one.
static int is_chosen(const char *name) {
    int is_it = __atomic_add_fetch(&calls, 1, __ATOMIC_SEQ_CST) == at;
    if (log_file >= 0) dprintf(log_file, is_it ? "%s !\n" : "%s\n", name);
    if (!is_it) return 0;
    if (number && !is_late) kill(getpid(), number);
    return 1;
}

static int is_of_system(const char *path) {
    static const char *const folders[] = {"/proc/", "/sys/", "/etc/", "/usr/", "/lib/", "/opt/", "/dev/"};
    for (size_t i = 0; i < sizeof folders / sizeof *folders; i++)
        if (!strncmp(path, folders[i], strlen(folders[i]))) return 1;
    return 0;
}

#define NEXT(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))

#define WRAP(type, name, parameters, arguments, is_counted)  \
    type name parameters {                                   \
        if (!(is_counted)) return NEXT(name) arguments;      \
        int chosen = is_chosen(#name);                       \
        if (chosen && error) {                               \
            errno = error;                                   \
            return (type)-1;                                 \
        }                                                    \
        type result = NEXT(name) arguments;                  \
        if (chosen && number && is_late) {                   \
            int kept = errno;                                \
            kill(getpid(), number);                          \
            errno = kept;                                    \
        }                                                    \
        return result;                                       \
    }

#define IS_FILE(file) ((file) != 0 && (file) != 2 && (file) != log_file)
#define AMOUNT(size) (makes_short && calls == at && (size) > 1 ? 1 : (size))

WRAP(ssize_t, write, (int file, const void *bytes, size_t size), (file, bytes, AMOUNT(size)), IS_FILE(file))
WRAP(ssize_t, read, (int file, void *bytes, size_t size), (file, bytes, AMOUNT(size)), IS_FILE(file))
WRAP(ssize_t, pwrite, (int file, const void *bytes, size_t size, off_t offset), (file, bytes, AMOUNT(size), offset), 1)
WRAP(ssize_t, pread, (int file, void *bytes, size_t size, off_t offset), (file, bytes, AMOUNT(size), offset), 1)
WRAP(int, fsync, (int file), (file), 1)
WRAP(int, fdatasync, (int file), (file), 1)
WRAP(int, ftruncate, (int file, off_t size), (file, size), 1)
WRAP(int, fchmod, (int file, mode_t mode), (file, mode), 1)
WRAP(int, fchown, (int file, uid_t user, gid_t group), (file, user, group), 1)
WRAP(int, flock, (int file, int operation), (file, operation), 1)
WRAP(int, rename, (const char *from, const char *to), (from, to), 1)
WRAP(int, link, (const char *from, const char *to), (from, to), 1)
WRAP(int, unlink, (const char *path), (path), 1)
WRAP(int, mkdir, (const char *path, mode_t mode), (path, mode), 1)
WRAP(int, rmdir, (const char *path), (path), 1)
WRAP(int, stat, (const char *path, struct stat *status), (path, status), !is_of_system(path))
WRAP(int, fstat, (int file, struct stat *status), (file, status), file > 2)
WRAP(ssize_t, listxattr, (const char *path, char *list, size_t size), (path, list, size), 1)
WRAP(ssize_t, getxattr, (const char *path, const char *name, void *value, size_t size), (path, name, value, size), 1)
WRAP(int, fsetxattr, (int file, const char *name, const void *value, size_t size, int flags),
     (file, name, value, size, flags), 1)
WRAP(int, fremovexattr, (int file, const char *name), (file, name), 1)

#define WRAP_OPEN(name)                                     \
    int name(const char *path, int flags, ...) {            \
        va_list rest;                                       \
        va_start(rest, flags);                              \
        mode_t mode = flags & O_CREAT ? va_arg(rest, mode_t) : 0; \
        va_end(rest);                                       \
        int counted = log_file != -1 || at;                 \
        int chosen = counted && !is_of_system(path) && is_chosen(flags & O_CREAT ? "create" : "open"); \
        if (chosen && error) {                              \
            errno = error;                                  \
            return -1;                                      \
        }                                                   \
        int result = ((int (*)(const char *, int, ...))dlsym(RTLD_NEXT, #name))(path, flags, mode); \
        if (chosen && number && is_late) kill(getpid(), number); \
        return result;                                      \
    }

WRAP_OPEN(open)
WRAP_OPEN(open64)
