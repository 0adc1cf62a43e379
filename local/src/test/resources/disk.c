/*
 * A disk that fails on request, between a process and one of its folders: errors and short writes, slow syncs, a kill before an operation.
 * It also records every operation with what it wrote, from which the states of the disk after a loss of power follow. Loaded by LD_PRELOAD;
 * FaultyDisk.java has the places of the numbers that both share, and DiskRecording.java reads the record.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

enum { OPERATIONS, KILL_AT, WRITE_RATE, WRITE_ERROR, SYNC_RATE, SYNC_ERROR, READ_RATE, READ_ERROR, SYNC_MILLIS, SEED,
       WRITE_HITS, SYNC_HITS, READ_HITS, NUMBERS };

#define MAX_FILES 65536

static volatile uint64_t *shared;
static char folder[4096];
static size_t folder_length;
static int record = -1;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static uint32_t of_descriptor[MAX_FILES];
static int fails_next[MAX_FILES];
static uint32_t errors[MAX_FILES], seen[MAX_FILES];
static char *names[MAX_FILES];
static uint32_t files = 1;

static ssize_t (*real_pwrite)(int, const void *, size_t, off64_t);
static ssize_t (*real_pread)(int, void *, size_t, off64_t);
static ssize_t (*real_write)(int, const void *, size_t);
static ssize_t (*real_read)(int, void *, size_t);
static int (*real_open)(const char *, int, ...);
static int (*real_openat)(int, const char *, int, ...);
static int (*real_close)(int);
static int (*real_fsync)(int);
static int (*real_fdatasync)(int);
static int (*real_ftruncate)(int, off64_t);
static int (*real_unlink)(const char *);
static int (*real_rename)(const char *, const char *);
static int (*real_mkdir)(const char *, mode_t);

__attribute__((constructor)) static void begin(void) {
    real_pwrite = dlsym(RTLD_NEXT, "pwrite64");
    real_pread = dlsym(RTLD_NEXT, "pread64");
    real_write = dlsym(RTLD_NEXT, "write");
    real_read = dlsym(RTLD_NEXT, "read");
    real_open = dlsym(RTLD_NEXT, "open64");
    real_openat = dlsym(RTLD_NEXT, "openat64");
    real_close = dlsym(RTLD_NEXT, "close");
    real_fsync = dlsym(RTLD_NEXT, "fsync");
    real_fdatasync = dlsym(RTLD_NEXT, "fdatasync");
    real_ftruncate = dlsym(RTLD_NEXT, "ftruncate64");
    real_unlink = dlsym(RTLD_NEXT, "unlink");
    real_rename = dlsym(RTLD_NEXT, "rename");
    real_mkdir = dlsym(RTLD_NEXT, "mkdir");
    const char *control = getenv("DISK_CONTROL"), *path = getenv("DISK_FOLDER"), *log = getenv("DISK_RECORD");
    if (!control || !path) return;
    int descriptor = real_open(control, O_RDWR);
    if (descriptor < 0) return;
    shared = mmap(NULL, NUMBERS * 8, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, 0);
    real_close(descriptor);
    if (log) record = real_open(log, O_WRONLY | O_CREAT | O_APPEND, 0600);
    folder_length = strlen(path);
    memcpy(folder, path, folder_length + 1);
}

/* The name within the folder; NULL for others. */
static const char *inside(const char *path) {
    if (!folder_length || strncmp(path, folder, folder_length)) return NULL;
    return path[folder_length] == '/' ? path + folder_length + 1 : path[folder_length] ? NULL : path + folder_length;
}

static uint32_t known(int descriptor) {
    return descriptor >= 0 && descriptor < MAX_FILES ? of_descriptor[descriptor] : 0;
}

/* One record: kind, failed, file, offset, length, bytes. Under the lock. */
static void note(char kind, int failed, uint32_t file, uint64_t offset, const void *bytes, uint32_t length) {
    if (record < 0) return;
    char head[18];
    head[0] = kind;
    head[1] = (char) failed;
    memcpy(head + 2, &file, 4);
    memcpy(head + 6, &offset, 8);
    memcpy(head + 14, &length, 4);
    real_write(record, head, sizeof head);
    if (length) real_write(record, bytes, length);
}

/* Counts an operation, and ends the process before the one that was chosen. */
static void count(void) {
    uint64_t number = __sync_add_and_fetch(&shared[OPERATIONS], 1);
    if (shared[KILL_AT] && number >= shared[KILL_AT]) {
        kill(getpid(), SIGKILL);
        for (;;) pause();
    }
}

static uint64_t chance(void) {
    uint64_t x = __sync_add_and_fetch(&shared[SEED], 0x9e3779b97f4a7c15ULL);
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9ULL;
    x = (x ^ (x >> 27)) * 0x94d049bb133111ebULL;
    return x ^ (x >> 31);
}

static int hits(int rate, int hit) {
    if (!shared[rate] || chance() % 1000 >= shared[rate]) return 0;
    __sync_add_and_fetch(&shared[hit], 1);
    return 1;
}

/* Remembers the file of a descriptor; gives a file that appears a number. Under the lock. */
static void opened(int descriptor, const char *name) {
    if (descriptor < 0 || descriptor >= MAX_FILES) return;
    struct stat status;
    fstat(descriptor, &status);
    uint32_t file = 0;
    for (uint32_t i = 1; i < files && !file; i++) {
        if (names[i] && !strcmp(names[i], name)) file = i;
    }
    if (!file && files < MAX_FILES) {
        file = files++;
        names[file] = strdup(name);
        note(S_ISDIR(status.st_mode) ? 'D' : 'C', 0, file, 0, name, strlen(name));
    }
    of_descriptor[descriptor] = file;
    fails_next[descriptor] = 0;
    seen[descriptor] = errors[file];
}

static int open_at(int at, const char *path, int flags, mode_t mode) {
    const char *name = shared ? inside(path) : NULL;
    if (!name) {
        int other = real_openat(at, path, flags, mode);
        if (other >= 0 && other < MAX_FILES) of_descriptor[other] = 0;
        return other;
    }
    pthread_mutex_lock(&lock);
    if (flags & O_CREAT) count();
    int descriptor = real_openat(at, path, flags, mode);
    int error = errno;
    opened(descriptor, name);
    if (descriptor >= 0 && (flags & O_TRUNC)) note('T', 0, known(descriptor), 0, NULL, 0);
    pthread_mutex_unlock(&lock);
    errno = error;
    return descriptor;
}

#define MODE(flags) \
    mode_t mode = 0; \
    if ((flags) & (O_CREAT | O_TMPFILE)) { va_list rest; va_start(rest, flags); mode = va_arg(rest, mode_t); va_end(rest); }

int open(const char *path, int flags, ...) { MODE(flags) return open_at(AT_FDCWD, path, flags, mode); }
int open64(const char *path, int flags, ...) { MODE(flags) return open_at(AT_FDCWD, path, flags | O_LARGEFILE, mode); }
int openat(int at, const char *path, int flags, ...) { MODE(flags) return open_at(at, path, flags, mode); }
int openat64(int at, const char *path, int flags, ...) { MODE(flags) return open_at(at, path, flags | O_LARGEFILE, mode); }

int close(int descriptor) {
    if (descriptor >= 0 && descriptor < MAX_FILES) of_descriptor[descriptor] = 0;
    return real_close(descriptor);
}

/* Half of the writes that fail write a part before. */
static ssize_t put(int descriptor, const void *bytes, size_t length, off64_t offset, int positioned) {
    uint32_t file = shared ? known(descriptor) : 0;
    if (!file) return positioned ? real_pwrite(descriptor, bytes, length, offset) : real_write(descriptor, bytes, length);
    pthread_mutex_lock(&lock);
    count();
    size_t part = length;
    if (fails_next[descriptor] || hits(WRITE_RATE, WRITE_HITS)) {
        part = !fails_next[descriptor] && chance() % 2 ? length / 2 : 0;
        fails_next[descriptor] = part > 0;
        if (!part) {
            pthread_mutex_unlock(&lock);
            errno = (int) shared[WRITE_ERROR];
            return -1;
        }
    }
    off64_t at = positioned ? offset : lseek64(descriptor, 0, SEEK_CUR);
    ssize_t done = positioned ? real_pwrite(descriptor, bytes, part, offset) : real_write(descriptor, bytes, part);
    int error = errno;
    if (done > 0) note('W', 0, file, at, bytes, done);
    pthread_mutex_unlock(&lock);
    errno = error;
    return done;
}

ssize_t write(int descriptor, const void *bytes, size_t length) { return put(descriptor, bytes, length, 0, 0); }
ssize_t pwrite(int descriptor, const void *bytes, size_t length, off_t at) { return put(descriptor, bytes, length, at, 1); }
ssize_t pwrite64(int descriptor, const void *bytes, size_t length, off64_t at) { return put(descriptor, bytes, length, at, 1); }

static int read_fails(int descriptor) {
    if (!shared || !known(descriptor) || !hits(READ_RATE, READ_HITS)) return 0;
    errno = (int) shared[READ_ERROR];
    return 1;
}

ssize_t read(int descriptor, void *bytes, size_t length) {
    return read_fails(descriptor) ? -1 : real_read(descriptor, bytes, length);
}
ssize_t pread(int descriptor, void *bytes, size_t length, off_t at) {
    return read_fails(descriptor) ? -1 : real_pread(descriptor, bytes, length, at);
}
ssize_t pread64(int descriptor, void *bytes, size_t length, off64_t at) {
    return read_fails(descriptor) ? -1 : real_pread(descriptor, bytes, length, at);
}

/* A sync that fails syncs nothing, and the system forgets that the pages have to be written; other descriptors of the file see the error once. */
static int sync_file(int descriptor, int (*real)(int)) {
    uint32_t file = shared ? known(descriptor) : 0;
    if (!file) return real(descriptor);
    uint64_t millis = shared[SYNC_MILLIS];
    if (millis) {
        struct timespec time = {millis / 1000, millis % 1000 * 1000000};
        nanosleep(&time, NULL);
    }
    pthread_mutex_lock(&lock);
    count();
    int failed = hits(SYNC_RATE, SYNC_HITS);
    note('S', failed, file, 0, NULL, 0);
    errors[file] += failed;
    failed = seen[descriptor] != errors[file];
    seen[descriptor] = errors[file];
    pthread_mutex_unlock(&lock);
    if (failed) {
        errno = (int) shared[SYNC_ERROR];
        return -1;
    }
    return 0;
}

int fsync(int descriptor) { return sync_file(descriptor, real_fsync); }
int fdatasync(int descriptor) { return sync_file(descriptor, real_fdatasync); }

int ftruncate64(int descriptor, off64_t length) {
    uint32_t file = shared ? known(descriptor) : 0;
    if (!file) return real_ftruncate(descriptor, length);
    pthread_mutex_lock(&lock);
    count();
    int done = real_ftruncate(descriptor, length);
    int error = errno;
    if (!done) note('T', 0, file, length, NULL, 0);
    pthread_mutex_unlock(&lock);
    errno = error;
    return done;
}
int ftruncate(int descriptor, off_t length) { return ftruncate64(descriptor, length); }

static void forget(const char *name) {
    for (uint32_t i = 1; i < files; i++) {
        if (names[i] && !strcmp(names[i], name)) {
            free(names[i]);
            names[i] = NULL;
        }
    }
}

int unlink(const char *path) {
    const char *name = shared ? inside(path) : NULL;
    if (!name) return real_unlink(path);
    pthread_mutex_lock(&lock);
    count();
    int done = real_unlink(path);
    int error = errno;
    if (!done) {
        forget(name);
        note('U', 0, 0, 0, name, strlen(name));
    }
    pthread_mutex_unlock(&lock);
    errno = error;
    return done;
}

int rename(const char *from, const char *to) {
    const char *name = shared ? inside(from) : NULL, *next = shared ? inside(to) : NULL;
    if (!name || !next) return real_rename(from, to);
    pthread_mutex_lock(&lock);
    count();
    int done = real_rename(from, to);
    int error = errno;
    if (!done) {
        char both[8192];
        size_t first = strlen(name), second = strlen(next);
        forget(next);
        for (uint32_t i = 1; i < files; i++) {
            if (names[i] && !strcmp(names[i], name)) {
                free(names[i]);
                names[i] = strdup(next);
            }
        }
        memcpy(both, name, first);
        memcpy(both + first, next, second);
        note('R', 0, 0, first, both, first + second);
    }
    pthread_mutex_unlock(&lock);
    errno = error;
    return done;
}

int mkdir(const char *path, mode_t mode) {
    const char *name = shared ? inside(path) : NULL;
    if (!name) return real_mkdir(path, mode);
    pthread_mutex_lock(&lock);
    count();
    int done = real_mkdir(path, mode);
    int error = errno;
    if (!done) note('M', 0, 0, 0, name, strlen(name));
    pthread_mutex_unlock(&lock);
    errno = error;
    return done;
}
