extension Collection<UInt8> {
    /// The bytes where they lie; a collection that does not hold them in one piece is copied first.
    func withBytes<Result>(_ body: (UnsafeBufferPointer<UInt8>) -> Result) -> Result {
        if let result = withContiguousStorageIfAvailable(body) { return result }
        return Array(self).withUnsafeBufferPointer(body)
    }

    /// The same for what returns nothing: every hash goes through here, and need not ask for the type of a result.
    func withBytes(_ body: (UnsafeBufferPointer<UInt8>) -> Void) {
        if withContiguousStorageIfAvailable(body) == nil { Array(self).withUnsafeBufferPointer(body) }
    }
}

extension FixedWidthInteger where Self: UnsignedInteger {
    /// The protocol's byte order: most significant first.
    var bigEndianBytes: [UInt8] { withUnsafeBytes(of: bigEndian) { Array($0) } }
}
