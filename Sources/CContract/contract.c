#include "CContract.h"

// Swift cannot embed files in a program yet; #embed is an extension before C23.
#pragma clang diagnostic ignored "-Wc23-extensions"

static const uint8_t document[] = {
#embed "../../Protocol/Schema/openapi.yaml"
};

const uint8_t *contract_bytes(void) { return document; }

size_t contract_size(void) { return sizeof document; }
