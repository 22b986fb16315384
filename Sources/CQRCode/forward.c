// The functions of libqrencode that the program uses; each calls the loaded library's.

#include "qrcode.h"

#include <late_library.h>

// Arguments of the macro: result, name, parameters, arguments.
#define EACH(F)                                                                                                        \
    F(QRcode *, QRcode_encodeString8bit, (const char *string, int version, QRecLevel level),                           \
      (string, version, level))                                                                                        \
    F(void, QRcode_free, (QRcode * code), (code))

LATE_LIBRARY(EACH, qrcode_library_load)
