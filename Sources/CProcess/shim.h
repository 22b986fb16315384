// The Glibc module leaves these out.
#include <malloc.h>
#include <signal.h>
#include <spawn.h>
#include <sys/eventfd.h>
#include <sys/prctl.h>
#include <sys/resource.h>

// Swift cannot call variadic C functions such as prctl.

/// Prevents core dumps of this process, and keeps other programs of its user from reading its memory. Returns 0, or -1
/// with errno.
static inline int process_keep_memory_private(void) {
    struct rlimit none = {0, 0};
    int limited = setrlimit(RLIMIT_CORE, &none);
    int hidden = prctl(PR_SET_DUMPABLE, 0, 0, 0, 0);
    return limited == 0 && hidden == 0 ? 0 : -1;
}

/// Limits the number of heaps, which threads then share: free memory between live values stays in each heap. Does
/// nothing where the C library has no such limit.
static inline void process_bound_heaps(int count) {
#ifdef M_ARENA_MAX
    (void)mallopt(M_ARENA_MAX, count);
#else
    (void)count;
#endif
}

/// The environment of this process, to be passed to a child.
static inline char **process_environment(void) {
    extern char **environ;
    return environ;
}

/// Raises the soft limit of open descriptors to the hard one, but to no more than `most`. Returns how many this process
/// may now have open, at most `most`; 0 where the system does not tell.
static inline unsigned long process_raise_descriptors(unsigned long most) {
    struct rlimit limit;
    if (getrlimit(RLIMIT_NOFILE, &limit) != 0) return 0;
    rlim_t wanted = limit.rlim_max < most ? limit.rlim_max : most;
    if (limit.rlim_cur < wanted) {
        struct rlimit raised = {wanted, limit.rlim_max};
        if (setrlimit(RLIMIT_NOFILE, &raised) == 0) limit = raised;
    }
    return limit.rlim_cur < most ? limit.rlim_cur : most;
}

/// Makes a file that is in memory alone, and is closed in programs that this one starts. Returns its descriptor, or -1
/// with errno.
static inline int process_memory_file(const char *name) {
    extern int memfd_create(const char *name, unsigned int flags);
    const unsigned int close_on_exec = 1;
    return memfd_create(name, close_on_exec);
}

/// The program that is started next has no descriptor from this number on. Returns 0, or an error number.
static inline int process_close_from(posix_spawn_file_actions_t *actions, int first) {
    extern int posix_spawn_file_actions_addclosefrom_np(posix_spawn_file_actions_t *actions, int first);
    return posix_spawn_file_actions_addclosefrom_np(actions, first);
}

/// Lets the program that is started next begin a session of its own, away from our terminal, with no signal held back
/// or ignored. Returns 0, or an error number.
static inline int process_begin_session(posix_spawnattr_t *attributes) {
    const short own_session = 0x80; // POSIX_SPAWN_SETSID
    sigset_t none, all;
    sigemptyset(&none);
    sigfillset(&all);
    posix_spawnattr_setsigmask(attributes, &none);
    posix_spawnattr_setsigdefault(attributes, &all);
    return posix_spawnattr_setflags(attributes, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | own_session);
}
