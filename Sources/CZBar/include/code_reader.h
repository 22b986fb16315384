// The bar code reader, loaded when a picture is searched for codes first. Source: libzbar.so.0.

#include <stdbool.h>
#include <zbar.h>

/// Loads the library of this file name with all that is used of it. Until it has returned true once, none of its
/// functions may be called. Any thread may call it, and again.
bool code_reader_library_load(const char *name);
