import CContract

/// The contract, as it is served: `Protocol/Schema/openapi.yaml`.
package let openAPIDocument = String(
    decoding: UnsafeBufferPointer(start: contract_bytes(), count: contract_size()), as: UTF8.self)
