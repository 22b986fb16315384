// A clock that is wrong, for LD_PRELOAD: the time of day is CLOCK_SHIFT seconds off; clocks that measure are right.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdlib.h>
#include <time.h>

static int (*real)(clockid_t, struct timespec *);
static long shift;

__attribute__((constructor)) static void begin(void) {
    const char *seconds = getenv("CLOCK_SHIFT");
    real = dlsym(RTLD_NEXT, "clock_gettime");
    shift = seconds ? atol(seconds) : 0;
}

int clock_gettime(clockid_t clock, struct timespec *time) {
    if (!real) begin();
    int result = real(clock, time);
    if (result == 0 && clock == CLOCK_REALTIME) time->tv_sec += shift;
    return result;
}
