// The functions of libcrypto that the program uses; each calls the loaded library's.

#include "signatures.h"

#include <late_library.h>

// Arguments of the macro: result, name, parameters, arguments.
#define EACH(F)                                                                                                        \
    F(EVP_PKEY *, d2i_PUBKEY, (EVP_PKEY * *reused, const unsigned char **bytes, long count), (reused, bytes, count))   \
    F(void, EVP_PKEY_free, (EVP_PKEY * key), (key))                                                                    \
    F(EVP_MD_CTX *, EVP_MD_CTX_new, (void), ())                                                                        \
    F(void, EVP_MD_CTX_free, (EVP_MD_CTX * context), (context))                                                        \
    F(int, EVP_DigestVerifyInit_ex,                                                                                    \
      (EVP_MD_CTX * context, EVP_PKEY_CTX * *padding, const char *hash, OSSL_LIB_CTX *library,                         \
       const char *properties, EVP_PKEY *key, const OSSL_PARAM *parameters),                                          \
      (context, padding, hash, library, properties, key, parameters))                                                  \
    F(int, EVP_PKEY_CTX_set_rsa_padding, (EVP_PKEY_CTX * padding, int mode), (padding, mode))                          \
    F(int, EVP_PKEY_CTX_set_rsa_pss_saltlen, (EVP_PKEY_CTX * padding, int length), (padding, length))                  \
    F(int, EVP_DigestVerify,                                                                                           \
      (EVP_MD_CTX * context, const unsigned char *signature, size_t signature_count, const unsigned char *bytes,       \
       size_t count),                                                                                                  \
      (context, signature, signature_count, bytes, count))                                                             \
    F(unsigned char *, EVP_Q_mac,                                                                                      \
      (OSSL_LIB_CTX * library, const char *name, const char *properties, const char *algorithm,                        \
       const OSSL_PARAM *parameters, const void *key, size_t key_count, const unsigned char *bytes, size_t count,      \
       unsigned char *result, size_t result_size, size_t *result_count),                                               \
      (library, name, properties, algorithm, parameters, key, key_count, bytes, count, result, result_size,            \
       result_count))

LATE_LIBRARY(EACH, crypto_library_load)
