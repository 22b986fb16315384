// Erasure codes over GF(256), loaded when a file is cast or a cast is followed first. Source: ISA-L 2.30, libisal.so.2.

#include <isa-l/erasure_code.h>
#include <stdbool.h>

/// Loads the library of this file name with all that is used of it. Until it has returned true once, none of its
/// functions may be called. Any thread may call it, and again.
bool isal_library_load(const char *name);
