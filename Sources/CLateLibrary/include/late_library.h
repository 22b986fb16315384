// A shared library that is loaded at its first use, not with the program: functions with its names call the loaded
// library. A command that never uses the library starts without it, and the program runs where it is not installed.

#pragma once

#include <stdbool.h>
#include <stddef.h>

/// A function of a library: its name there, and where its address is stored.
struct late_function {
    const char *name;
    void **place;
};

/// Loads the shared library `file` for the rest of the process, and finds its functions. Any thread may call it, more
/// than once. Returns false, and stores no address, if the library or one of the functions is missing.
bool late_library_load(const char *file, const struct late_function *functions, size_t count);

/// Defines the functions of the list `EACH`, and `bool LOAD(const char *file)`, which must have returned true before
/// any of them is called. `EACH(F)` expands to `F(result, name, parameters, arguments)` for every function. The
/// library's own headers declare the functions, so the compiler compares the types.
#define LATE_LIBRARY(EACH, LOAD)                                                                                       \
    EACH(LATE_FORWARD)                                                                                                 \
    bool LOAD(const char *file) {                                                                                      \
        static const struct late_function functions[] = {EACH(LATE_ENTRY)};                                            \
        return late_library_load(file, functions, sizeof functions / sizeof *functions);                               \
    }

// Hidden, so that the library's own calls of these names reach its own functions.
#define LATE_FORWARD(result, name, parameters, arguments)                                                              \
    static result(*loaded_##name) parameters;                                                                          \
    __attribute__((visibility("hidden"))) result name parameters { return loaded_##name arguments; }

#define LATE_ENTRY(result, name, parameters, arguments) {#name, (void **)&loaded_##name},
