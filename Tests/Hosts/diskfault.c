// A disk that fails, for LD_PRELOAD: the n-th write, sync, cut or renaming of files below one directory fails, or all
// from the n-th on. Counted over all processes that share the counter's file.
//
//   DISK_FAULT_BELOW    the directory's real path
//   DISK_FAULT_COUNTER  a file of at least 8 bytes
//   DISK_FAULT_AT       n, from 1; 0: none fails
//   DISK_FAULT_LASTING  set: all from the n-th on fail, for want of room
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

static _Atomic long *counter;
static const char *below;
static long failing;
static int lasting;

__attribute__((constructor)) static void begin(void) {
    const char *path = getenv("DISK_FAULT_COUNTER"), *at = getenv("DISK_FAULT_AT");
    below = getenv("DISK_FAULT_BELOW");
    if (!path || !at || !below) return;
    failing = atol(at);
    lasting = getenv("DISK_FAULT_LASTING") != NULL;
    int fd = open(path, O_RDWR | O_CLOEXEC);
    if (fd < 0) return;
    void *shared = mmap(NULL, sizeof(long), PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    close(fd);
    if (shared != MAP_FAILED) counter = shared;
}

// Whether this operation fails; errno is set then.
static int fails(const char *path) {
    if (!counter || strncmp(path, below, strlen(below)) != 0) return 0;
    long number = atomic_fetch_add(counter, 1) + 1;
    if (failing == 0 || (lasting ? number < failing : number != failing)) return 0;
    errno = lasting ? ENOSPC : EIO;
    return 1;
}

static int file_fails(int fd) {
    char link[64], path[PATH_MAX];
    if (!counter) return 0;
    snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
    ssize_t length = readlink(link, path, sizeof path - 1);
    if (length <= 0 || path[0] != '/') return 0;
    path[length] = 0;
    return fails(path);
}

#define NEXT(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))

ssize_t write(int fd, const void *bytes, size_t count) {
    return file_fails(fd) ? -1 : NEXT(write)(fd, bytes, count);
}

ssize_t pwrite(int fd, const void *bytes, size_t count, off_t offset) {
    return file_fails(fd) ? -1 : NEXT(pwrite)(fd, bytes, count, offset);
}

ssize_t pwrite64(int fd, const void *bytes, size_t count, off64_t offset) {
    return file_fails(fd) ? -1 : NEXT(pwrite64)(fd, bytes, count, offset);
}

int fsync(int fd) { return file_fails(fd) ? -1 : NEXT(fsync)(fd); }

int fdatasync(int fd) { return file_fails(fd) ? -1 : NEXT(fdatasync)(fd); }

int ftruncate(int fd, off_t length) { return file_fails(fd) ? -1 : NEXT(ftruncate)(fd, length); }

int ftruncate64(int fd, off64_t length) { return file_fails(fd) ? -1 : NEXT(ftruncate64)(fd, length); }

int rename(const char *from, const char *to) { return fails(to) ? -1 : NEXT(rename)(from, to); }
