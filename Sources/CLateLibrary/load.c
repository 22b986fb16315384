#include "late_library.h"

#include <dlfcn.h>
#include <pthread.h>

bool late_library_load(const char *file, const struct late_function *functions, size_t count) {
    static pthread_mutex_t guard = PTHREAD_MUTEX_INITIALIZER;
    // Never closed: the library is used for the rest of the process.
    void *library = dlopen(file, RTLD_LAZY | RTLD_LOCAL);
    if (library == NULL) return false;
    for (size_t index = 0; index < count; index++) {
        if (dlsym(library, functions[index].name) == NULL) return false;
    }
    pthread_mutex_lock(&guard);
    for (size_t index = 0; index < count; index++) {
        *functions[index].place = dlsym(library, functions[index].name);
    }
    pthread_mutex_unlock(&guard);
    return true;
}
