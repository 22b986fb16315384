import TourModel

/// Chooses one of several chunks.
enum ChunkChoice {
    /// A random one of those with the lowest rank.
    /// - Parameter rank: nil for a chunk that is not eligible.
    static func lowest(
        of chunks: ChunkSet, using rng: inout some RandomNumberGenerator, rank: (Int) -> Int?
    ) -> Int? {
        var best = [Int]()
        var lowest = Int.max
        for chunk in chunks {
            guard let rank = rank(chunk), rank <= lowest else { continue }
            if rank < lowest { best.removeAll(keepingCapacity: true) }
            lowest = rank
            best.append(chunk)
        }
        return best.randomElement(using: &rng)
    }
}
