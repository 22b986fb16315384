// The QR code library, loaded when a code is shown first. Source: libqrencode.so.4.

#include <qrencode.h>
#include <stdbool.h>

/// Loads the library of this file name with all that is used of it. Until it has returned true once, none of its
/// functions may be called. Any thread may call it, and again.
bool qrcode_library_load(const char *name);
