// A shared library that is loaded when it is first used, not with the program: functions of its own names, which hand on
// to the loaded library. So a command that never asks it starts without it, and a computer without it runs the program.

#pragma once

#include <stdbool.h>
#include <stddef.h>

/// A function of a library: its name there, and where to keep its address.
struct late_function {
    const char *name;
    void **place;
};

/// Loads the shared library `file`, for good, and finds its functions. Any thread; again is harmless.
/// False, and nothing is kept, where the library or one of the functions is missing.
bool late_library_load(const char *file, const struct late_function *functions, size_t count);

/// Defines the functions of the list `EACH`, and `bool LOAD(const char *file)`, which must have said true before the first
/// of them is called. `EACH(F)` gives `F(result, name, parameters, arguments)` for every function; the library's own
/// headers declare them, so the compiler compares the types.
#define LATE_LIBRARY(EACH, LOAD)                                                                                       \
    EACH(LATE_FORWARD)                                                                                                 \
    bool LOAD(const char *file) {                                                                                      \
        static const struct late_function functions[] = {EACH(LATE_ENTRY)};                                            \
        return late_library_load(file, functions, sizeof functions / sizeof *functions);                               \
    }

// Hidden: what the library itself calls by these names is its own.
#define LATE_FORWARD(result, name, parameters, arguments)                                                              \
    static result(*loaded_##name) parameters;                                                                          \
    __attribute__((visibility("hidden"))) result name parameters { return loaded_##name arguments; }

#define LATE_ENTRY(result, name, parameters, arguments) {#name, (void **)&loaded_##name},
