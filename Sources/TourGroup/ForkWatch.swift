import TourCrypto
import TourModel
import TourWire

/// The first place at which each log forks, as far as a tour's control events show: by a proof that one of them
/// carries, or because two of them share a place. Source: `Protocol/05-events.md`, "Cuts".
struct ForkWatch: Sendable {
    private struct Place: Hashable {
        let author: MemberID
        let sequence: UInt64
    }

    /// The control events with the smallest ids at each place, two at most.
    private var seen: [Place: [EventID]] = [:]
    /// Of the events that prove a place's fork, the one with the smallest id.
    private var proofs: [Place: EventID] = [:]
    private(set) var places: [MemberID: UInt64] = [:]

    mutating func add(_ record: ControlRecord, tour: TourID) {
        let id = record.event.id
        let place = Place(author: record.event.header.author, sequence: record.event.header.sequence)
        let known = Array(Set((seen[place] ?? []) + [id]).sorted().prefix(2))
        seen[place] = known
        if known.count > 1 { lower(to: place) }
        if case .fork(let proof) = record.body, let forked = proof.place(in: tour) {
            let place = Place(author: forked.author, sequence: forked.sequence)
            proofs[place] = min(proofs[place] ?? id, id)
            lower(to: place)
        }
    }

    private mutating func lower(to place: Place) {
        places[place.author] = min(places[place.author] ?? .max, place.sequence)
    }

    /// The control events with the smallest ids at this place, two at most.
    func seen(by author: MemberID, at sequence: UInt64) -> [EventID] {
        seen[Place(author: author, sequence: sequence)] ?? []
    }

    /// Events that on their own show these authors' forks.
    func evidence(of authors: some Sequence<MemberID>) -> Set<EventID> {
        authors.reduce(into: []) { $0.formUnion(signs(of: $1)) }
    }

    /// Events that show that this log forks; none for a log that does not.
    func signs(of author: MemberID) -> Set<EventID> {
        guard let sequence = places[author] else { return [] }
        let place = Place(author: author, sequence: sequence)
        if let proof = proofs[place] { return [proof] }
        return Set(seen[place] ?? [])
    }
}

extension ForkProof {
    /// The proof that these two events fork one log.
    /// - Returns: nil unless both have this author and the same place, and differ.
    package init?(identity: SigningKey, _ first: Event, _ second: Event) {
        guard first.header.author == second.header.author, first.header.sequence == second.header.sequence,
            first.id != second.id, first.header.author == MemberID(identity: identity)
        else { return nil }
        self.init(identity: identity, first: Branch(first), second: Branch(second))
    }

    /// The first place at which two branches of one log differ and both events are signed. Inside a run only the chain
    /// proves most events: an author may have put anything in the place of their signatures, which proves nothing to
    /// others.
    /// - Returns: nil when there is no such place.
    package init?(identity: SigningKey, tour: TourID, between stored: [Event], and others: [Event]) {
        let known = Dictionary(stored.map { ($0.header.sequence, $0) }) { first, _ in first }
        for other in others {
            guard let own = known[other.header.sequence], let proof = ForkProof(identity: identity, own, other),
                proof.place(in: tour) != nil
            else { continue }
            self = proof
            return
        }
        return nil
    }

    /// The place at which the log forks.
    /// - Returns: nil for anything but two signed headers of this tour, of one author and place, that differ. The
    ///   genesis names no tour, so no proof contains it.
    package func place(in tour: TourID) -> (author: MemberID, sequence: UInt64)? {
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
