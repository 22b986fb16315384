// Signatures and authenticators of others' making, by OpenSSL's libcrypto, loaded when the server first needs one (see
// CLateLibrary): everything of our own is libsodium's.
//
// Its types and functions are declared here as far as the program uses them, so that a build needs no package of
// headers.
// Source: libcrypto.so.3 of OpenSSL 3.0 or newer, "openssl/evp.h", "openssl/rsa.h" and "openssl/x509.h": what a
// release of its major version has stays as it is.

#pragma once

#include <stdbool.h>
#include <stddef.h>

typedef struct evp_pkey_st EVP_PKEY;
typedef struct evp_pkey_ctx_st EVP_PKEY_CTX;
typedef struct evp_md_ctx_st EVP_MD_CTX;
typedef struct ossl_lib_ctx_st OSSL_LIB_CTX;
typedef struct ossl_param_st OSSL_PARAM;

/// RSA_PKCS1_PSS_PADDING.
static const int crypto_padding_pss = 6;
/// RSA_PSS_SALTLEN_DIGEST: a salt as long as the hash.
static const int crypto_salt_of_hash = -1;

/// Reads a SubjectPublicKeyInfo; NULL where it is none, or names no point of its curve.
EVP_PKEY *d2i_PUBKEY(EVP_PKEY **reused, const unsigned char **bytes, long count);
void EVP_PKEY_free(EVP_PKEY *key);
EVP_MD_CTX *EVP_MD_CTX_new(void);
void EVP_MD_CTX_free(EVP_MD_CTX *context);
/// 1 on success, as the next three.
int EVP_DigestVerifyInit_ex(EVP_MD_CTX *context, EVP_PKEY_CTX **padding, const char *hash, OSSL_LIB_CTX *library,
                            const char *properties, EVP_PKEY *key, const OSSL_PARAM *parameters);
int EVP_PKEY_CTX_set_rsa_padding(EVP_PKEY_CTX *padding, int mode);
int EVP_PKEY_CTX_set_rsa_pss_saltlen(EVP_PKEY_CTX *padding, int length);
/// 1 for a right signature; anything else is none.
int EVP_DigestVerify(EVP_MD_CTX *context, const unsigned char *signature, size_t signature_count,
                     const unsigned char *bytes, size_t count);
/// NULL on failure, else `result`, of which it has filled `*result_count` bytes.
unsigned char *EVP_Q_mac(OSSL_LIB_CTX *library, const char *name, const char *properties, const char *algorithm,
                         const OSSL_PARAM *parameters, const void *key, size_t key_count, const unsigned char *bytes,
                         size_t count, unsigned char *result, size_t result_size, size_t *result_count);

/// Loads libcrypto; see `late_library_load`.
bool crypto_library_load(const char *file);
