// The Glibc module leaves these out.
#include <malloc.h>
#include <sys/eventfd.h>
#include <sys/prctl.h>
#include <sys/resource.h>

// Swift calls no C function with a variable number of arguments.

/// No core dump is written of this process, and other programs of its user cannot look into it.
/// Returns 0, or -1 with errno.
static inline int process_keep_memory_private(void) {
    struct rlimit none = {0, 0};
    int limited = setrlimit(RLIMIT_CORE, &none);
    int hidden = prctl(PR_SET_DUMPABLE, 0, 0, 0, 0);
    return limited == 0 && hidden == 0 ? 0 : -1;
}

/// No more than so many heaps, which threads share: each keeps what lies between values that live on. Where the C
/// library has no such bound, nothing happens.
static inline void process_bound_heaps(int count) {
#ifdef M_ARENA_MAX
    (void)mallopt(M_ARENA_MAX, count);
#else
    (void)count;
#endif
}

/// The environment of this process, for one that it starts.
static inline char **process_environment(void) {
    extern char **environ;
    return environ;
}

/// Raises the soft limit of open descriptors to the hard one, or to so many.
/// Returns how many this process may have open now; 0 where the system does not say.
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
