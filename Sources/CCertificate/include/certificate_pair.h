// What a certificate and its key say, read by OpenSSL's library, which is loaded when the program first reads one (see
// CLateLibrary). It is the library that stunnel uses, so that what is taken here is taken there.

#pragma once

#include <stddef.h>
#include <stdint.h>

/// What came of reading.
enum certificate_verdict {
    /// They belong together.
    CERTIFICATE_GOOD,
    /// The library is not installed.
    CERTIFICATE_NO_LIBRARY,
    /// There is no certificate in PEM, or a damaged one.
    CERTIFICATE_NONE,
    /// There is no private key in PEM, or one that a passphrase protects.
    CERTIFICATE_NO_KEY,
    /// The key is not that of the first certificate.
    CERTIFICATE_MISMATCH,
    /// Key or signature are too weak for TLS today: below OpenSSL's security level 2.
    CERTIFICATE_WEAK,
};

/// A certificate with those that vouch for it, and its key.
struct certificate_pair {
    /// All of them in PEM: the chain in the order of its file, then the key. Not terminated.
    char *pem;
    size_t pem_size;
    /// The DNS names of the first certificate, each with a zero byte behind it.
    char *names;
    size_t names_size;
    /// Since when, and until when, it is valid, in seconds since 1970.
    int64_t begins, ends;
};

/// Reads both; `pair` is filled if they are good, and must then be freed. Any thread may call it.
enum certificate_verdict certificate_pair_read(const void *chain, size_t chain_size, const void *key, size_t key_size,
                                               struct certificate_pair *pair);

/// Wipes and frees what was read.
void certificate_pair_free(struct certificate_pair *pair);
