/// Splits a stream into lines without their line ends, none longer than gpsd writes.
package struct BoundedLines {
    /// gpsd's own limit of an answer. Source: `GPS_JSON_RESPONSE_MAX` in gpsd.
    package static let bytesMax = 10_240

    private var rest: [UInt8] = []

    /// A line is longer than `bytesMax`.
    package struct TooLong: Error {}

    package init() {}

    /// Adds bytes of the stream, and returns the lines that they complete.
    package mutating func add(_ bytes: some Sequence<UInt8>) throws(TooLong) -> [[UInt8]] {
        var lines = [[UInt8]]()
        for byte in bytes {
            if byte == UInt8(ascii: "\n") {
                lines.append(rest)
                rest = []
                continue
            }
            guard rest.count < Self.bytesMax else { throw TooLong() }
            rest.append(byte)
        }
        return lines
    }
}
