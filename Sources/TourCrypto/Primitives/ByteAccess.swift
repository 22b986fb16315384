extension Collection<UInt8> {
    /// Lends the bytes in place; a collection that does not store them contiguously is copied first.
    func withBytes<Result>(_ body: (UnsafeBufferPointer<UInt8>) -> Result) -> Result {
        if let result = withContiguousStorageIfAvailable(body) { return result }
        return Array(self).withUnsafeBufferPointer(body)
    }

    /// The same for a closure without result: every hash uses this, and skips the lookup of a result type.
    func withBytes(_ body: (UnsafeBufferPointer<UInt8>) -> Void) {
        if withContiguousStorageIfAvailable(body) == nil { Array(self).withUnsafeBufferPointer(body) }
    }
}

extension FixedWidthInteger where Self: UnsignedInteger {
    /// The integer's bytes in the protocol's order: most significant first.
    var bigEndianBytes: [UInt8] { withUnsafeBytes(of: bigEndian) { Array($0) } }
}
