import TourModel

extension Bytes32 {
    /// For output that has 32 bytes by construction.
    init(exactly bytes: some Collection<UInt8>) {
        guard let value = Bytes32(bytes) else { preconditionFailure("32 bytes by construction") }
        self = value
    }

    func withPointer<Result>(_ body: (UnsafePointer<UInt8>) -> Result) -> Result {
        bytes.withUnsafeBufferPointer { buffer in
            guard let base = buffer.baseAddress else { preconditionFailure("an array of 32 bytes has an address") }
            return body(base)
        }
    }
}
