// The XML parser, loaded when the program first reads an XML file (see CLateLibrary).

#pragma once

#include <expat.h>
#include <stdbool.h>

/// Loads libexpat; see `late_library_load`.
bool expat_library_load(const char *file);

/// The line that the parser has reached, from 1. The headers of libexpat 2.9 deprecate the function for this, which is
/// the only one that older versions have; libexpat itself still has it.
unsigned long expat_line_number(XML_Parser parser);
