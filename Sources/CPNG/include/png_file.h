// The PNG library, loaded when the program first writes a picture.
// Source: libpng16.so.16, its simplified interface.

#include <png.h>
#include <stdbool.h>

/// Loads the library of this file name and finds every function that the program uses. None of its functions may be
/// called before this has returned true. Any thread may call it, more than once.
bool png_library_load(const char *name);
