/// FNV-1a over everything that happened: two runs with the same hash took the same course.
package struct TraceHash: Sendable {
    /// The hash so far.
    package private(set) var value: UInt64 = 0xCBF2_9CE4_8422_2325

    mutating func add(_ number: some FixedWidthInteger) {
        var rest = UInt64(truncatingIfNeeded: number)
        for _ in 0..<8 {
            value = (value ^ (rest & 0xFF)) &* 0x0000_0100_0000_01B3
            rest >>= 8
        }
    }
}
