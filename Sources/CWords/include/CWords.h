#pragma once
#include <stddef.h>
#include <stdint.h>

/// A gettext catalogue, embedded in the program byte for byte.
typedef struct {
    const uint8_t *_Nullable bytes;
    size_t size;
} words_catalogue;

words_catalogue words_tr(void);
words_catalogue words_de(void);
words_catalogue words_es(void);
words_catalogue words_fr(void);
words_catalogue words_ar(void);
words_catalogue words_ja(void);
