#include "certificate_pair.h"

#include <late_library.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

// Declared here as far as they are used, so that a build needs no package of headers. Source: the headers of OpenSSL
// 3.0, whose binary interface holds for all of its third version.
typedef struct x509 X509;
typedef struct key EVP_PKEY;
typedef struct context SSL_CTX;
typedef struct method SSL_METHOD;
typedef struct bio BIO;
typedef struct bio_method BIO_METHOD;
typedef struct text ASN1_STRING;
typedef struct stack OPENSSL_STACK;
typedef struct {
    int type;
    const ASN1_STRING *text;
} GENERAL_NAME;
typedef int passphrase_callback(char *place, int size, int writes, void *data);

enum { GEN_DNS = 2, NID_SUBJECT_ALT_NAME = 85, BIO_CTRL_INFO = 3, SSL_CTRL_CHAIN_CERT = 89 };
// The end of a PEM file, as an error: library 9 (PEM), reason 108 (no start line).
static const unsigned long no_start_line = 9UL << 23 | 108;

// The functions that are loaded: result, name, parameters. They have no forwarders: other targets load some of the
// same names.
#define EACH(F)                                                                                                        \
    F(const unsigned char *, ASN1_STRING_get0_data, (const ASN1_STRING *text))                                         \
    F(int, ASN1_STRING_length, (const ASN1_STRING *text))                                                              \
    F(int, ASN1_TIME_to_tm, (const ASN1_STRING *time, struct tm *parts))                                               \
    F(long, BIO_ctrl, (BIO * bio, int command, long number, void *place))                                              \
    F(int, BIO_free, (BIO * bio))                                                                                      \
    F(BIO *, BIO_new, (const BIO_METHOD *method))                                                                      \
    F(BIO *, BIO_new_mem_buf, (const void *bytes, int size))                                                           \
    F(const BIO_METHOD *, BIO_s_mem, (void))                                                                           \
    F(void, ERR_clear_error, (void))                                                                                   \
    F(unsigned long, ERR_peek_last_error, (void))                                                                      \
    F(void, EVP_PKEY_free, (EVP_PKEY * key))                                                                           \
    F(void, GENERAL_NAMES_free, (OPENSSL_STACK * names))                                                               \
    F(void, OPENSSL_cleanse, (void *bytes, size_t size))                                                               \
    F(int, OPENSSL_sk_num, (const OPENSSL_STACK *stack))                                                               \
    F(void *, OPENSSL_sk_value, (const OPENSSL_STACK *stack, int index))                                               \
    F(EVP_PKEY *, PEM_read_bio_PrivateKey, (BIO * bio, EVP_PKEY * *place, passphrase_callback * ask, void *data))       \
    F(X509 *, PEM_read_bio_X509, (BIO * bio, X509 * *place, passphrase_callback * ask, void *data))                     \
    F(int, PEM_write_bio_PrivateKey,                                                                                   \
      (BIO * bio, const EVP_PKEY *key, const void *cipher, const unsigned char *phrase, int size,                      \
       passphrase_callback *ask, void *data))                                                                          \
    F(int, PEM_write_bio_X509, (BIO * bio, const X509 *certificate))                                                   \
    F(long, SSL_CTX_ctrl, (SSL_CTX * context, int command, long number, void *place))                                  \
    F(void, SSL_CTX_free, (SSL_CTX * context))                                                                         \
    F(SSL_CTX *, SSL_CTX_new, (const SSL_METHOD *method))                                                              \
    F(void, SSL_CTX_set_security_level, (SSL_CTX * context, int level))                                                \
    F(int, SSL_CTX_use_PrivateKey, (SSL_CTX * context, EVP_PKEY * key))                                                \
    F(int, SSL_CTX_use_certificate, (SSL_CTX * context, X509 * certificate))                                           \
    F(const SSL_METHOD *, TLS_server_method, (void))                                                                   \
    F(int, X509_check_private_key, (const X509 *certificate, const EVP_PKEY *key))                                     \
    F(void, X509_free, (X509 * certificate))                                                                           \
    F(const ASN1_STRING *, X509_get0_notAfter, (const X509 *certificate))                                              \
    F(const ASN1_STRING *, X509_get0_notBefore, (const X509 *certificate))                                             \
    F(void *, X509_get_ext_d2i, (const X509 *certificate, int kind, int *critical, int *index))

#define POINTER(result, name, parameters) result(*name) parameters;
#define ENTRY(result, name, parameters) {#name, (void **)&lib.name},

static struct { EACH(POINTER) } lib;

static bool load(void) {
    static const struct late_function functions[] = {EACH(ENTRY)};
    return late_library_load("libssl.so.3", functions, sizeof functions / sizeof *functions);
}

// A chain is rarely longer than four.
enum { CHAIN_MAX = 16, SECURITY_LEVEL = 2 };

// Everything that is read and made on the way.
struct work {
    X509 *chain[CHAIN_MAX];
    int count;
    EVP_PKEY *key;
    SSL_CTX *context;
};

// No passphrase is asked for on a terminal that may not be there.
static int no_passphrase(char *place, int size, int writes, void *data) {
    (void)place, (void)size, (void)writes, (void)data;
    return -1;
}

static bool read_chain(struct work *work, BIO *source) {
    X509 *next;
    while ((next = lib.PEM_read_bio_X509(source, NULL, no_passphrase, NULL)) != NULL) {
        if (work->count == CHAIN_MAX) {
            lib.X509_free(next);
            return false;
        }
        work->chain[work->count++] = next;
    }
    // The end of the file is told as an error, too.
    return work->count > 0 && lib.ERR_peek_last_error() == no_start_line;
}

// Whether a server would take them.
static bool is_strong(struct work *work) {
    work->context = lib.SSL_CTX_new(lib.TLS_server_method());
    if (work->context == NULL) return false;
    lib.SSL_CTX_set_security_level(work->context, SECURITY_LEVEL);
    if (lib.SSL_CTX_use_certificate(work->context, work->chain[0]) != 1) return false;
    for (int index = 1; index < work->count; index++) {
        // As SSL_CTX_add1_chain_cert does, which is a macro.
        if (lib.SSL_CTX_ctrl(work->context, SSL_CTRL_CHAIN_CERT, 1, work->chain[index]) != 1) return false;
    }
    return lib.SSL_CTX_use_PrivateKey(work->context, work->key) == 1;
}

static int64_t seconds(const ASN1_STRING *time) {
    struct tm parts;
    return lib.ASN1_TIME_to_tm(time, &parts) == 1 ? (int64_t)timegm(&parts) : 0;
}

static bool read_names(X509 *certificate, struct certificate_pair *pair) {
    OPENSSL_STACK *names = lib.X509_get_ext_d2i(certificate, NID_SUBJECT_ALT_NAME, NULL, NULL);
    int count = names == NULL ? 0 : lib.OPENSSL_sk_num(names);
    bool done = true;
    for (int index = 0; done && index < count; index++) {
        const GENERAL_NAME *name = lib.OPENSSL_sk_value(names, index);
        if (name->type != GEN_DNS) continue;
        const unsigned char *bytes = lib.ASN1_STRING_get0_data(name->text);
        size_t size = (size_t)lib.ASN1_STRING_length(name->text);
        // No name has a zero byte in it.
        if (memchr(bytes, 0, size) != NULL) continue;
        char *grown = realloc(pair->names, pair->names_size + size + 1);
        if (grown == NULL) {
            done = false;
            break;
        }
        pair->names = grown;
        memcpy(grown + pair->names_size, bytes, size);
        grown[pair->names_size + size] = 0;
        pair->names_size += size + 1;
    }
    lib.GENERAL_NAMES_free(names);
    return done;
}

static bool write_pem(const struct work *work, struct certificate_pair *pair) {
    BIO *sink = lib.BIO_new(lib.BIO_s_mem());
    bool done = sink != NULL;
    for (int index = 0; done && index < work->count; index++) {
        done = lib.PEM_write_bio_X509(sink, work->chain[index]) == 1;
    }
    done = done && lib.PEM_write_bio_PrivateKey(sink, work->key, NULL, NULL, 0, NULL, NULL) == 1;
    char *bytes = NULL;
    long size = done ? lib.BIO_ctrl(sink, BIO_CTRL_INFO, 0, &bytes) : 0;
    if (size > 0 && (pair->pem = malloc((size_t)size)) != NULL) {
        memcpy(pair->pem, bytes, (size_t)size);
        pair->pem_size = (size_t)size;
    }
    if (size > 0) lib.OPENSSL_cleanse(bytes, (size_t)size);
    lib.BIO_free(sink);
    return pair->pem != NULL;
}

static enum certificate_verdict judge(struct work *work, BIO *chain, BIO *key, struct certificate_pair *pair) {
    if (!read_chain(work, chain)) return CERTIFICATE_NONE;
    work->key = lib.PEM_read_bio_PrivateKey(key, NULL, no_passphrase, NULL);
    if (work->key == NULL) return CERTIFICATE_NO_KEY;
    if (lib.X509_check_private_key(work->chain[0], work->key) != 1) return CERTIFICATE_MISMATCH;
    if (!is_strong(work)) return CERTIFICATE_WEAK;
    pair->begins = seconds(lib.X509_get0_notBefore(work->chain[0]));
    pair->ends = seconds(lib.X509_get0_notAfter(work->chain[0]));
    return read_names(work->chain[0], pair) && write_pem(work, pair) ? CERTIFICATE_GOOD : CERTIFICATE_NONE;
}

enum certificate_verdict certificate_pair_read(const void *chain, size_t chain_size, const void *key, size_t key_size,
                                               struct certificate_pair *pair) {
    memset(pair, 0, sizeof *pair);
    if (!load()) return CERTIFICATE_NO_LIBRARY;
    if (chain_size > INT_MAX || key_size > INT_MAX) return CERTIFICATE_NONE;
    struct work work = {0};
    BIO *chain_source = lib.BIO_new_mem_buf(chain, (int)chain_size);
    BIO *key_source = lib.BIO_new_mem_buf(key, (int)key_size);
    lib.ERR_clear_error();
    enum certificate_verdict verdict = CERTIFICATE_NONE;
    if (chain_source != NULL && key_source != NULL) verdict = judge(&work, chain_source, key_source, pair);
    lib.ERR_clear_error();
    lib.SSL_CTX_free(work.context);
    lib.EVP_PKEY_free(work.key);
    for (int index = 0; index < work.count; index++) lib.X509_free(work.chain[index]);
    lib.BIO_free(key_source);
    lib.BIO_free(chain_source);
    if (verdict != CERTIFICATE_GOOD) certificate_pair_free(pair);
    return verdict;
}

void certificate_pair_free(struct certificate_pair *pair) {
    if (pair->pem != NULL) lib.OPENSSL_cleanse(pair->pem, pair->pem_size);
    free(pair->pem);
    free(pair->names);
    memset(pair, 0, sizeof *pair);
}
