// The Glibc module leaves these out.
#include <malloc.h>
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
