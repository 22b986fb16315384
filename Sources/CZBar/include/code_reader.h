// The bar code reader, loaded when the program first searches a picture for codes.
// Source: libzbar.so.0.

#include <stdbool.h>
#include <zbar.h>

/// Loads the library of this file name and finds every function that the program uses. None of its functions may be
/// called before this has returned true. Any thread may call it, more than once.
bool code_reader_library_load(const char *name);
