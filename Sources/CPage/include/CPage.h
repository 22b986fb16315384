#pragma once
#include <stddef.h>
#include <stdint.h>

/// A file of the page inside the program, as its folder has it.
typedef struct {
    /// Below the page's folder, with slashes.
    const char *_Nonnull path;
    const uint8_t *_Nonnull bytes;
    size_t size;
} page_file;

size_t page_count(void);
/// @param index below page_count()
page_file page_at(size_t index);
