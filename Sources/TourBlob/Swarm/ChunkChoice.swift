import TourModel

/// Which of several chunks comes first.
enum ChunkChoice {
    /// One of those with the lowest rank, by chance.
    /// - Parameter rank: nil for a chunk that is out of the question.
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
