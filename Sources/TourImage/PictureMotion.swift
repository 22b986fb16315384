extension PictureFormat {
    /// Enough of a file to see whether it moves.
    static let motionBytes = 64 * 1_024

    /// Whether a file of this format has pictures that follow each other, of which a prepared copy keeps the first.
    /// Sources: RFC 9649, 2.7.1; Portable Network Graphics (Third Edition), 11.3.6.1.
    /// - Parameter head: its first `motionBytes`.
    package func isMoving(_ head: [UInt8]) -> Bool {
        switch self {
        // The second bit of the flags in the extended header says so.
        case .webp: head.count > 20 && head[12..<16].elementsEqual("VP8X".utf8) && head[20] & 0x02 != 0
        case .png: Self.hasAnimation(head)
        case .jpeg, .heic: false
        }
    }

    /// Whether a chunk `acTL` stands before the first picture's data.
    private static func hasAnimation(_ head: [UInt8]) -> Bool {
        var start = 8
        while start + 8 <= head.count {
            let length = head[start..<start + 4].reduce(0) { $0 << 8 | Int($1) }
            let name = head[start + 4..<start + 8]
            if name.elementsEqual("acTL".utf8) { return true }
            if name.elementsEqual("IDAT".utf8) { return false }
            // The length, the name, the data and their checksum.
            start += 12 + length
        }
        return false
    }
}
