/// A set of chunks of one file. Source: `Protocol/11-blobs.md`, "Sets of chunks".
///
/// On the wire: chunk i is bit 7 - i % 8 of byte i / 8; trailing zero bytes are left out.
package struct ChunkSet: Hashable, Sendable {
    /// The number of chunks of the file: all in the set are below it.
    package let limit: Int
    /// The number of chunks in the set.
    package private(set) var count = 0
    private var words: [UInt64]

    /// The empty set.
    package init(limit: Int) {
        self.limit = limit
        words = Array(repeating: 0, count: (limit + 63) / 64)
    }

    /// All chunks of a file.
    package static func all(_ limit: Int) -> ChunkSet {
        var set = ChunkSet(limit: limit)
        for chunk in 0..<limit { set.insert(chunk) }
        return set
    }

    /// - Returns: nil for bits beyond the file's chunks, or a trailing zero byte.
    package init?(bytes: some Collection<UInt8>, limit: Int) {
        guard bytes.count <= (limit + 7) / 8 else { return nil }
        self.init(limit: limit)
        var last: UInt8 = 1
        for (place, byte) in bytes.enumerated() {
            last = byte
            for bit in 0..<8 where byte & (0x80 >> bit) != 0 {
                guard place * 8 + bit < limit else { return nil }
                insert(place * 8 + bit)
            }
        }
        guard last != 0 else { return nil }
    }

    /// The wire format.
    package var bytes: [UInt8] {
        var bytes = [UInt8](repeating: 0, count: (limit + 7) / 8)
        for chunk in self { bytes[chunk / 8] |= 0x80 >> (chunk % 8) }
        while bytes.last == 0 { bytes.removeLast() }
        return bytes
    }

    /// Whether the set has no chunk.
    package var isEmpty: Bool { count == 0 }
    /// Whether the set has every chunk of the file.
    package var isFull: Bool { count == limit }

    /// False for a number that is no chunk of the file.
    package func contains(_ chunk: Int) -> Bool {
        (0..<limit).contains(chunk) && words[chunk / 64] & (1 << (chunk % 64)) != 0
    }

    /// - Returns: whether the chunk was not in the set.
    @discardableResult
    package mutating func insert(_ chunk: Int) -> Bool {
        precondition((0..<limit).contains(chunk), "a chunk of this file")
        guard !contains(chunk) else { return false }
        words[chunk / 64] |= 1 << (chunk % 64)
        count += 1
        return true
    }

    /// - Returns: whether the chunk was in the set.
    @discardableResult
    package mutating func remove(_ chunk: Int) -> Bool {
        guard contains(chunk) else { return false }
        words[chunk / 64] &= ~(1 << (chunk % 64))
        count -= 1
        return true
    }

    /// Adds the chunks of another set of the same file.
    package mutating func formUnion(_ other: ChunkSet) {
        precondition(limit == other.limit, "sets of one file")
        combine(other) { $0 | $1 }
    }

    /// Removes the chunks of another set of the same file.
    package mutating func subtract(_ other: ChunkSet) {
        precondition(limit == other.limit, "sets of one file")
        combine(other) { $0 & ~$1 }
    }

    private mutating func combine(_ other: ChunkSet, _ body: (UInt64, UInt64) -> UInt64) {
        count = 0
        for place in words.indices {
            words[place] = body(words[place], other.words[place])
            count += words[place].nonzeroBitCount
        }
    }
}

/// Iterates in ascending order.
extension ChunkSet: Sequence {
    /// Returns the chunks in ascending order.
    package struct Iterator: IteratorProtocol {
        fileprivate let words: [UInt64]
        fileprivate var place = 0
        fileprivate var word: UInt64

        package mutating func next() -> Int? {
            while word == 0 {
                place += 1
                guard place < words.count else { return nil }
                word = words[place]
            }
            let bit = word.trailingZeroBitCount
            word &= word - 1
            return place * 64 + bit
        }
    }

    package func makeIterator() -> Iterator { Iterator(words: words, word: words.first ?? 0) }
}
