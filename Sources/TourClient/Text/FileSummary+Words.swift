import TourAPI
import TourWords

// A file of the tour and its progress, as people read it.
extension FileSummary {
    /// The first eight digits of the id: enough to name it in a command.
    package var shortID: String { String(id.prefix(8)) }

    /// In percent; an empty file is always complete.
    package var percent: Int { size == 0 ? 100 : Int(min(have, size) * 100 / size) }

    /// - Parameter isOnAir: whether the answer comes from a node with a network.
    package func words(isOnAir: Bool) -> Phrase {
        switch state {
        case .complete: Phrase("here")
        case .known: Phrase("not fetched")
        case .noRoom: Phrase("no room here")
        case _ where !isOnAir && have > 0: Phrase("\(percent) %, no node is running")
        case _ where !isOnAir: Phrase("no node is running")
        case .fetching where bytesPerSecond > 0:
            Phrase("\(percent) % from \(peers), \(ByteCount.shown(aSecond: bytesPerSecond))")
        case .fetching: Phrase("\(percent) % from \(peers)")
        case .waiting where have > 0: Phrase("\(percent) %, waiting: nobody near has the rest")
        case .waiting: Phrase("waiting: nobody near has it")
        }
    }

    /// What the user can do about files that are not here, one line each.
    package static func hints(_ files: [FileSummary]) -> [Phrase] {
        let hints: [(FileState, Phrase)] = [
            (.known, Phrase("'tour-chat save ID' fetches what is not here.")),
            (
                .noRoom,
                Phrase("'tour-chat files --drop ID' makes room, and 'tour-chat files --fetch ID' then tries again.")
            ),
        ]
        return hints.filter { hint in files.contains { $0.state == hint.0 } }.map(\.1)
    }

    /// The style of the words about its progress.
    package var style: Style {
        switch state {
        case .complete: .green
        case .fetching: .plain
        case .waiting: .yellow
        case .known: .dim
        case .noRoom: .red
        }
    }

    /// How many neighbours have it: `3 near`, `3 near, 1 in part`; empty: none.
    package var heldBy: Phrase {
        switch (holders, peers - holders) {
        case (0, ...0): .empty
        case (_, ...0): Phrase("\(holders) near")
        case (0, let parts): Phrase("\(parts) in part")
        case (_, let parts): Phrase("\(holders) near, \(parts) in part")
        }
    }
}
