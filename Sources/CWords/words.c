#include "CWords.h"

// Swift cannot embed files in a program yet; #embed is an extension before C23.
#pragma clang diagnostic ignored "-Wc23-extensions"

static const uint8_t tr[] = {
#embed "catalogues/tr.po"
};
static const uint8_t de[] = {
#embed "catalogues/de.po"
};
static const uint8_t es[] = {
#embed "catalogues/es.po"
};
static const uint8_t fr[] = {
#embed "catalogues/fr.po"
};
static const uint8_t ar[] = {
#embed "catalogues/ar.po"
};
static const uint8_t ja[] = {
#embed "catalogues/ja.po"
};

words_catalogue words_tr(void) { return (words_catalogue){tr, sizeof tr}; }
words_catalogue words_de(void) { return (words_catalogue){de, sizeof de}; }
words_catalogue words_es(void) { return (words_catalogue){es, sizeof es}; }
words_catalogue words_fr(void) { return (words_catalogue){fr, sizeof fr}; }
words_catalogue words_ar(void) { return (words_catalogue){ar, sizeof ar}; }
words_catalogue words_ja(void) { return (words_catalogue){ja, sizeof ja}; }
