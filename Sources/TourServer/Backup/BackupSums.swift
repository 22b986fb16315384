import ServerBase
import TourModel

/// The hash of each file of a backup, in the file `B2SUMS`, which is written last: `b2sum --length 256 --check B2SUMS`
/// compares them too. A line is 64 lower-case digits, two spaces and the file's place.
/// Source: GNU coreutils, `b2sum`: BLAKE2b.
struct BackupSums: Equatable {
    /// The file's place in a backup.
    static let place = "B2SUMS"
    /// A million files and more.
    static let bytesMax = 512 * 1024 * 1024

    /// BLAKE2b-256 of each file, by its place.
    var hashes: [String: Bytes32] = [:]

    init() {}

    /// - Throws: `unavailable` for anything that `text` does not write.
    init(_ bytes: [UInt8]) throws(Failure) {
        let damaged = Failure(.unavailable, cause: "the backup's \(Self.place) is damaged")
        guard let text = String(validating: bytes, as: UTF8.self), text.hasSuffix("\n") else { throw damaged }
        for line in text.utf8.dropLast().split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false) {
            let (digits, rest) = (String(decoding: line.prefix(64), as: UTF8.self), line.dropFirst(64))
            let place = String(decoding: rest.dropFirst(2), as: UTF8.self)
            guard let hash = Bytes32(hex: digits), hash.hex == digits, Array(rest.prefix(2)) == Array("  ".utf8),
                Self.isPlace(place), hashes.updateValue(hash, forKey: place) == nil
            else { throw damaged }
        }
    }

    /// As it is written, sorted by place.
    var text: String {
        hashes.sorted { $0.key < $1.key }.map { "\($0.value.hex)  \($0.key)\n" }.joined()
    }

    /// Whether a backup has files of this place: none leads out of it.
    private static func isPlace(_ place: String) -> Bool {
        let known = /manifest\.json|server\.sqlite|server\.key|token-keys\/[0-9a-f-]+\.key/
        let stored = /blobs\/[0-9a-f]{64}\/[0-9a-f]{64}(?:\.chunks)?|files\/[0-9a-f]{2}\/[0-9a-f]{32}/
        return place.wholeMatch(of: known) != nil || place.wholeMatch(of: stored) != nil
    }
}
