import TourModel

/// The code that a person types or scans to join a tour: 56 letters. Source: `Protocol/07-joining.md`.
///
/// ```
/// offset size
///      0    1  version (1)
///      1   16  seed
///     17   16  first bytes of the tour id
///     33    2  first bytes of H("code", the 33 bytes before)
/// ```
package struct InviteCode: Hashable, Sendable, CustomStringConvertible {
    /// The code's version, its first byte.
    package static let version: UInt8 = 1
    /// The seed's length in bytes.
    package static let seedBytes = 16
    /// The length in bytes of the tour id's part.
    package static let tourPrefixBytes = 16
    /// The number of letters of a code without its dashes.
    package static let letters = 56

    /// The number of bytes that the letters stand for.
    package static let byteCount = checkedBytes + checkBytes
    private static let checkedBytes = 1 + seedBytes + tourPrefixBytes
    private static let checkBytes = 2
    private static let groupLetters = 4

    /// 16 bytes: the secret of the invite.
    package let seed: [UInt8]
    /// The first 16 bytes of the tour id.
    package let tourPrefix: [UInt8]

    /// The code of an invite of this tour.
    package init(secret: InviteSecret, tour: TourID) {
        seed = secret.seed.exposedCopy()
        tourPrefix = Array(tour.bytes.prefix(Self.tourPrefixBytes))
    }

    /// Parses typed text: case, white space and dashes do not matter; 0, 1 and 8 read as O, I and B.
    ///
    /// The checksum is checked before the version: a wrong first letter is a typing mistake, not another version.
    /// - Throws: `InviteCodeError`, one case for each kind of mistake.
    package init(parsing text: String) throws(InviteCodeError) {
        guard let values = Base32.values(of: text) else { throw .notBase32 }
        guard values.count == Self.letters else { throw .wrongLength }
        try self.init(decoding: Base32.bytes(of: values))
    }

    /// - Throws: `InviteCodeError` for another length than `byteCount`, check bytes that do not fit, another version.
    package init(decoding bytes: [UInt8]) throws(InviteCodeError) {
        guard bytes.count == Self.byteCount else { throw .wrongLength }
        let checked = bytes.prefix(Self.checkedBytes)
        guard bytes.dropFirst(Self.checkedBytes).elementsEqual(Self.check(checked)) else { throw .mistyped }
        guard bytes[0] == Self.version else { throw .wrongVersion }
        seed = Array(checked.dropFirst().prefix(Self.seedBytes))
        tourPrefix = Array(checked.suffix(Self.tourPrefixBytes))
    }

    /// The code's 35 bytes.
    package var bytes: [UInt8] {
        let checked = [Self.version] + seed + tourPrefix
        return checked + Self.check(checked)
    }

    /// 56 letters without dashes, for links and QR codes.
    package var compact: String { Base32.encode(bytes) }

    /// 14 groups of four letters with dashes, for people.
    package var text: String {
        let letters = Array(compact.utf8)
        let groups = stride(from: 0, to: letters.count, by: Self.groupLetters).map {
            letters[$0..<$0 + Self.groupLetters]
        }
        return String(decoding: Array(groups.joined(separator: [UInt8(ascii: "-")])), as: UTF8.self)
    }

    /// Whether the code is for the tour with this genesis.
    package func names(_ tour: TourID) -> Bool { tour.bytes.starts(with: tourPrefix) }

    /// Omits the seed, so that a code in a log line lets nobody in.
    package var description: String { "invite code of tour \(Hex.encode(tourPrefix.prefix(4)))" }

    private static func check(_ checked: some Collection<UInt8>) -> [UInt8] {
        Array(Hash.of(.code, checked).bytes.prefix(checkBytes))
    }
}
