// The text layout and the PDF writer that are used here, loaded when something is first printed (see CLateLibrary).

#pragma once

#include <stdbool.h>

const char *pango_version_string(void);

/// Loads libpango; see `late_library_load`.
bool pango_library_load(const char *file);
