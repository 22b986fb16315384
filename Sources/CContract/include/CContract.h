#pragma once
#include <stddef.h>
#include <stdint.h>

/// The server's contract, `Protocol/Schema/openapi.yaml`, embedded in the program byte for byte.
const uint8_t *_Nonnull contract_bytes(void);
/// In bytes.
size_t contract_size(void);
