#pragma once
#include <stddef.h>
#include <stdint.h>

/// A file of the page, embedded in the program byte for byte.
typedef struct {
    /// The path below the page's folder, with slashes.
    const char *_Nonnull path;
    const uint8_t *_Nonnull bytes;
    size_t size;
} page_file;

size_t page_count(void);
/// @param index below page_count()
page_file page_at(size_t index);
