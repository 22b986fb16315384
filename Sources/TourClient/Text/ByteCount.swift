import TourWords

/// A number of bytes as people read it, in powers of a thousand and rounded down: `512 B`, `64 kB`, `5.2 MB`, `1.0
/// GB`.
package enum ByteCount {
    package static func shown(_ bytes: UInt64) -> Phrase {
        switch bytes {
        case ..<1_000: Phrase("\(bytes) B")
        case ..<1_000_000: Phrase("\(bytes / 1_000) kB")
        case ..<1_000_000_000: Phrase("\(bytes / 1_000_000).\(bytes / 100_000 % 10) MB")
        default: Phrase("\(bytes / 1_000_000_000).\(bytes / 100_000_000 % 10) GB")
        }
    }

    /// `5.2 MB/s`
    package static func shown(aSecond bytes: UInt64) -> Phrase { Phrase("\(shown(bytes))/s") }
}
