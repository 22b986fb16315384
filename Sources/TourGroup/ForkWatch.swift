import TourCrypto
import TourModel
import TourWire

/// The first place at which each log forks, as far as a tour's control events show: by a proof that one of them
/// carries, or because two of them stand at one place. Source: `Protocol/05-events.md`, "Cuts".
struct ForkWatch: Sendable {
    private struct Place: Hashable {
        let author: MemberID
        let sequence: UInt64
    }

    private var seen: [Place: EventID] = [:]
    private(set) var forks: [MemberID: UInt64] = [:]

    mutating func take(_ record: ControlRecord, tour: TourID) {
        let header = record.event.header
        let other = seen.updateValue(record.event.id, forKey: Place(author: header.author, sequence: header.sequence))
        if let other, other != record.event.id { lower(header.author, to: header.sequence) }
        if case .fork(let proof) = record.body, let place = proof.place(in: tour) {
            lower(place.author, to: place.sequence)
        }
    }

    private mutating func lower(_ author: MemberID, to sequence: UInt64) {
        forks[author] = min(forks[author] ?? .max, sequence)
    }
}

extension ForkProof {
    /// The proof that these two are one log's.
    /// - Returns: nil unless both are of this author and place, and differ.
    package init?(identity: SigningKey, _ first: Event, _ second: Event) {
        guard first.header.author == second.header.author, first.header.sequence == second.header.sequence,
            first.id != second.id, first.header.author == MemberID(identity: identity)
        else { return nil }
        self.init(identity: identity, first: Branch(first), second: Branch(second))
    }

    /// Where the log forks.
    /// - Returns: nil for anything but two signed headers of this tour, of one author and place, that differ. The
    /// genesis names no tour: it is in no proof.
    func place(in tour: TourID) -> (author: MemberID, sequence: UInt64)? {
        guard let left = try? EventHeader(decoding: first.header),
            let right = try? EventHeader(decoding: second.header),
            first != second, left.tour == tour, right.tour == tour, left.author == right.author,
            left.sequence == right.sequence, left.author == MemberID(identity: identity),
            EventCrypto.verify(first.header, signature: first.signature, author: identity),
            EventCrypto.verify(second.header, signature: second.signature, author: identity)
        else { return nil }
        return (left.author, left.sequence)
    }
}
