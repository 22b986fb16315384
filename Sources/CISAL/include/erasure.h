// Erasure codes over GF(256), loaded when the program first casts a file or follows a cast.
// Source: ISA-L 2.30, libisal.so.2.

#include <isa-l/erasure_code.h>
#include <stdbool.h>

/// Loads the library of this file name and finds every function that the program uses. None of its functions may be
/// called before this has returned true. Any thread may call it, more than once.
bool isal_library_load(const char *name);
