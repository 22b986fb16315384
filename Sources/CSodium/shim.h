#include <errno.h>
#include <sodium.h>

// What `crypto_pwhash_str_verify` found: 0 the password matches, 1 it does not, -1 no memory or no hash. The library
// tells the last two apart by errno alone, which Swift cannot read behind a call.
static inline int sodium_password_check(const char *stored, const char *password, unsigned long long count) {
    errno = 0;
    if (crypto_pwhash_str_verify(stored, password, count) == 0) return 0;
    return errno == EINVAL ? 1 : -1;
}
