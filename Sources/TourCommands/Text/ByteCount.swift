/// A number of bytes as people read it, in thousands and cut off: `512 B`, `64 kB`, `5.2 MB`, `1.0 GB`.
package enum ByteCount {
    package static func shown(_ bytes: UInt64) -> String {
        switch bytes {
        case ..<1_000: "\(bytes) B"
        case ..<1_000_000: "\(bytes / 1_000) kB"
        case ..<1_000_000_000: "\(tenths(bytes / 100_000)) MB"
        default: "\(tenths(bytes / 100_000_000)) GB"
        }
    }

    private static func tenths(_ count: UInt64) -> String { "\(count / 10).\(count % 10)" }
}
