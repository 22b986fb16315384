#pragma once
#include <stddef.h>
#include <stdint.h>

/// A file of the operator's page, embedded in the program byte for byte.
typedef struct {
    /// The path at which it is served.
    const char *_Nonnull path;
    /// Its media type.
    const char *_Nonnull type;
    const uint8_t *_Nonnull bytes;
    size_t size;
} admin_page_file;

size_t admin_page_count(void);
/// @param index below admin_page_count()
admin_page_file admin_page_at(size_t index);
