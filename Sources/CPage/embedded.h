#pragma once
#include "CPage.h"

// A table of files that are inside the program.

// Swift cannot embed files in a program yet; #embed is an extension before C23.
#pragma clang diagnostic ignored "-Wc23-extensions"

#define FILE_OF(path, content) {path, content, sizeof content}

/// Defines what the table `files`, above it, is read by.
#define READERS_OF_FILES(name) \
    size_t name##_count(void) { return sizeof files / sizeof files[0]; } \
    page_file name##_at(size_t index) { return files[index]; }
