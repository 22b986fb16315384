// The PNG library, loaded when a picture is written first. Source: libpng16.so.16, its simplified interface.

#include <png.h>
#include <stdbool.h>

/// Loads the library of this file name with all that is used of it. Until it has returned true once, none of its
/// functions may be called. Any thread may call it, and again.
bool png_library_load(const char *name);
