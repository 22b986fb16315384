// The QR code library, loaded when the program first shows a code.
// Source: libqrencode.so.4.

#include <qrencode.h>
#include <stdbool.h>

/// Loads the library of this file name and finds every function that the program uses. None of its functions may be
/// called before this has returned true. Any thread may call it, more than once.
bool qrcode_library_load(const char *name);
