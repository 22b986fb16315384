import TourModel
import TourWire

/// The stored form of what one member has and has read: the steps of each growth, big-endian. Of
/// many authors only those with the newest steps are kept; the others' times are forgotten.
enum ReceiptKeeping {
    private static let version: UInt8 = 1
    /// How many authors' steps are kept of one member: a tour may have a thousand authors, and each member has
    /// something of each.
    static let authorsMax = 32

    /// The stored bytes could not be read: they are treated as absent.
    private enum Damage: Error { case malformed }

    /// - Parameter own: the prefix of the author that comes first.
    static func encoded(heads: [UInt64: Growth], reading: ReadPlace, own: UInt64) -> [UInt8] {
        var bytes = [version]
        bytes.append(bigEndian: reading.clock)
        append(reading.furthest, to: &bytes)
        bytes.append(reading.again == nil ? 0 : 1)
        if let again = reading.again {
            bytes.append(bigEndian: again.at)
            append(again.growth, to: &bytes)
        }
        let newest = heads.sorted {
            ($0.key == own ? 1 : 0, $0.value.steps.last?.at ?? 0, $0.key)
                > ($1.key == own ? 1 : 0, $1.value.steps.last?.at ?? 0, $1.key)
        }
        for (prefix, growth) in newest.prefix(authorsMax) {
            bytes.append(bigEndian: prefix)
            append(growth, to: &bytes)
        }
        return bytes
    }

    /// - Returns: nil when the bytes are not in our format.
    static func decoded(_ bytes: [UInt8]) -> (heads: [UInt64: Growth], reading: ReadPlace)? {
        var reader = ByteReader(bytes)
        do {
            let version: UInt8 = try integer(&reader)
            guard version == Self.version else { return nil }
            let clock: UInt64 = try integer(&reader)
            let furthest = try growth(&reader)
            let fellBack: UInt8 = try integer(&reader)
            var again: (at: Int64, growth: Growth)?
            if fellBack != 0 { again = (try time(&reader), try growth(&reader)) }
            var heads = [UInt64: Growth]()
            while reader.remaining > 0, heads.count < authorsMax {
                let prefix: UInt64 = try integer(&reader)
                heads[prefix] = try growth(&reader)
            }
            return (heads, ReadPlace(clock: clock, furthest: furthest, again: again))
        } catch {
            return nil
        }
    }

    private static func append(_ growth: Growth, to bytes: inout [UInt8]) {
        let steps = growth.steps.suffix(Int(UInt8.max))
        bytes.append(UInt8(steps.count))
        for step in steps {
            bytes.append(bigEndian: step.value)
            bytes.append(bigEndian: step.at)
        }
    }

    private static func integer<Integer: FixedWidthInteger & UnsignedInteger>(
        _ reader: inout ByteReader
    ) throws(Damage) -> Integer {
        guard let value: Integer = reader.integer() else { throw .malformed }
        return value
    }

    private static func time(_ reader: inout ByteReader) throws(Damage) -> Int64 {
        let bits: UInt64 = try integer(&reader)
        return Int64(bitPattern: bits)
    }

    private static func growth(_ reader: inout ByteReader) throws(Damage) -> Growth {
        let count: UInt8 = try integer(&reader)
        var steps = [Growth.Step]()
        for _ in 0..<count {
            let value: UInt64 = try integer(&reader)
            steps.append(Growth.Step(value: value, at: try time(&reader)))
        }
        guard let growth = Growth(steps: steps) else { throw .malformed }
        return growth
    }
}
