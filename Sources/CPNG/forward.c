// The functions of libpng that the program uses; each calls the loaded library's.

#include "png_file.h"

#include <late_library.h>

// Arguments of the macro: result, name, parameters, arguments.
#define EACH(F)                                                                                                        \
    F(int, png_image_write_to_file,                                                                                    \
      (png_imagep image, const char *file, int convert_to_8bit, const void *buffer, png_int_32 row_stride,             \
       const void *colormap),                                                                                          \
      (image, file, convert_to_8bit, buffer, row_stride, colormap))                                                    \
    F(void, png_image_free, (png_imagep image), (image))

LATE_LIBRARY(EACH, png_library_load)
