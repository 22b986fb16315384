// The functions of Pango that are used here, each handing on to the loaded library.

#include "pango_layout.h"

#include <late_library.h>

#define EACH(F) F(const char *, pango_version_string, (void), ())

LATE_LIBRARY(EACH, pango_library_load)
