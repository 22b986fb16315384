import FuzzSupport

/// Decodes bytes that anybody may have sent: takes little more memory than they are long, and what was read once is
/// written and read again as the same.
/// - Parameter memoryFactor: how many bytes of memory one of input may cost while it is read, besides 64 KiB.
/// - Parameter encode: nil for a value that nobody writes.
/// - Returns: the value, nil when the bytes are none.
@discardableResult
package func roundTrip<Value: Equatable>(
    _ bytes: [UInt8], memoryFactor: Int = 4, decode: ([UInt8]) -> Value?, encode: (Value) -> [UInt8]?
) -> Value? {
    let (value, peak) = AllocationMeter.measure { decode(bytes) }
    check(peak <= memoryFactor * bytes.count + memoryBase, "\(peak) bytes of memory for \(bytes.count) of input")
    guard let value, let again = encode(value) else { return value }
    check(decode(again) == value, "\(value) is read otherwise when it is written again")
    return value
}

/// For messages with lists: these are counted before they are decoded, and the longest that may be there, of ids, takes
/// so much of two bytes each on the wire.
package let listMemoryFactor = 16

private let memoryBase = 64 * 1024
