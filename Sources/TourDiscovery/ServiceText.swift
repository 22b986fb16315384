import TourModel

/// The TXT record of the service: `v=` and a number, `t=` and raw 8-byte tags, and for those who ask to join perhaps
/// `a=` and such tags. Source: `Protocol/02-discovery.md`, `Protocol/14-asking.md`.
package struct ServiceText: Sendable, Equatable {
    /// The most strings of a TXT record that are read: ours has two or three.
    package static let stringsMax = 32

    /// The version that this build publishes.
    package static let currentVersion = 1

    /// The protocol version.
    package let version: Int
    /// The discovery tags.
    package let tags: [UInt64]
    /// The tours that one may ask there to join.
    package let asks: [UInt64]

    package init(version: Int = ServiceText.currentVersion, tags: [UInt64], asks: [UInt64] = []) {
        self.version = version
        self.tags = Array(tags.prefix(Limits.discoveryTagsMax))
        self.asks = Array(asks.prefix(Limits.askTagsMax))
    }

    /// Parses the strings of a record: unknown keys are skipped, the first of a repeated key counts (RFC 6763, 6.4),
    /// tags after the fifth are left out. Incomplete tags for askers are none.
    /// - Returns: nil when the first `ServiceText.stringsMax` strings contain no version of one to four digits, at
    ///   least 1, or when the tags are incomplete.
    package init?(strings: some Sequence<[UInt8]>) {
        var version: Int?
        var tags: [UInt64]?
        var asks: [UInt64] = []
        var seen = Set<UInt8>()
        for string in strings.prefix(Self.stringsMax) {
            guard string.count >= 2, string[1] == UInt8(ascii: "=") else { continue }
            let key = string[0] | 0x20
            let value = string.dropFirst(2)
            switch key {
            case UInt8(ascii: "v") where seen.insert(key).inserted: version = Self.number(value)
            case UInt8(ascii: "t") where seen.insert(key).inserted:
                guard let whole = Self.tags(value, atMost: Limits.discoveryTagsMax) else { return nil }
                tags = whole
            case UInt8(ascii: "a") where seen.insert(key).inserted:
                asks = Self.tags(value, atMost: Limits.askTagsMax) ?? []
            default: continue
            }
        }
        guard let version else { return nil }
        self.version = version
        self.tags = tags ?? []
        self.asks = asks
    }

    /// The strings in the order of the record; `t=` is present even without tags, so that records look alike.
    package var strings: [[UInt8]] {
        let strings = [Array("v=\(version)".utf8), Self.string("t=", tags)]
        return asks.isEmpty ? strings : strings + [Self.string("a=", asks)]
    }

    private static func string(_ key: String, _ tags: [UInt64]) -> [UInt8] {
        tags.reduce(into: Array(key.utf8)) { text, tag in
            for shift in stride(from: 56, through: 0, by: -8) {
                text.append(UInt8(truncatingIfNeeded: tag >> UInt64(shift)))
            }
        }
    }

    private static func number(_ digits: ArraySlice<UInt8>) -> Int? {
        guard (1...4).contains(digits.count) else { return nil }
        var number = 0
        for digit in digits {
            guard (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(digit) else { return nil }
            number = number * 10 + Int(digit - UInt8(ascii: "0"))
        }
        return number >= 1 ? number : nil
    }

    private static func tags(_ bytes: ArraySlice<UInt8>, atMost tagsMax: Int) -> [UInt64]? {
        guard bytes.count.isMultiple(of: 8) else { return nil }
        var tags = [UInt64]()
        var rest = bytes
        while tags.count < tagsMax, !rest.isEmpty {
            tags.append(rest.prefix(8).reduce(0) { $0 << 8 | UInt64($1) })
            rest = rest.dropFirst(8)
        }
        return tags
    }
}
