// The functions of ISA-L that the program uses; each calls the loaded library's.

#include "erasure.h"

#include <late_library.h>

// Arguments of the macro: result, name, parameters, arguments.
#define EACH(F)                                                                                                        \
    F(unsigned char, gf_inv, (unsigned char a), (a))                                                                   \
    F(int, gf_invert_matrix, (unsigned char *in, unsigned char *out, const int n), (in, out, n))                       \
    F(void, ec_init_tables, (int k, int rows, unsigned char *a, unsigned char *gftbls), (k, rows, a, gftbls))          \
    F(void, ec_encode_data,                                                                                            \
      (int len, int k, int rows, unsigned char *gftbls, unsigned char **data, unsigned char **coding),                 \
      (len, k, rows, gftbls, data, coding))

LATE_LIBRARY(EACH, isal_library_load)
