// The XML parser, loaded when the program first reads an XML file (see CLateLibrary).

#pragma once

#include <expat.h>
#include <stdbool.h>

/// Loads libexpat; see `late_library_load`.
bool expat_library_load(const char *file);
