// The functions of libzbar that the program uses; each calls the loaded library's.

#include "code_reader.h"

#include <late_library.h>

// Arguments of the macro: result, name, parameters, arguments.
#define EACH(F)                                                                                                        \
    F(zbar_image_scanner_t *, zbar_image_scanner_create, (void), ())                                                   \
    F(void, zbar_image_scanner_destroy, (zbar_image_scanner_t * scanner), (scanner))                                   \
    F(int, zbar_image_scanner_set_config,                                                                              \
      (zbar_image_scanner_t * scanner, zbar_symbol_type_t symbology, zbar_config_t config, int value),                 \
      (scanner, symbology, config, value))                                                                             \
    F(int, zbar_image_scanner_request_dbus, (zbar_image_scanner_t * scanner, int is_wanted), (scanner, is_wanted))     \
    F(int, zbar_scan_image, (zbar_image_scanner_t * scanner, zbar_image_t * image), (scanner, image))                  \
    F(zbar_image_t *, zbar_image_create, (void), ())                                                                   \
    F(void, zbar_image_destroy, (zbar_image_t * image), (image))                                                       \
    F(void, zbar_image_set_format, (zbar_image_t * image, unsigned long format), (image, format))                      \
    F(void, zbar_image_set_size, (zbar_image_t * image, unsigned width, unsigned height), (image, width, height))      \
    F(void, zbar_image_set_data,                                                                                       \
      (zbar_image_t * image, const void *data, unsigned long size, zbar_image_cleanup_handler_t *cleanup),             \
      (image, data, size, cleanup))                                                                                    \
    F(const zbar_symbol_t *, zbar_image_first_symbol, (const zbar_image_t *image), (image))                            \
    F(const zbar_symbol_t *, zbar_symbol_next, (const zbar_symbol_t *symbol), (symbol))                                \
    F(const char *, zbar_symbol_get_data, (const zbar_symbol_t *symbol), (symbol))                                     \
    F(unsigned int, zbar_symbol_get_data_length, (const zbar_symbol_t *symbol), (symbol))

LATE_LIBRARY(EACH, code_reader_library_load)
