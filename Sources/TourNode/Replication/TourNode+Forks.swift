import TourCrypto
import TourGossip
import TourGroup
import TourModel
import TourStore
import TourWire

// Logs that hold two events for one place: proves to everybody the first place with two different signed events,
// unless the log ends before it already. Source: `Protocol/05-events.md`, "Cuts".
extension TourNode {
    /// Checks a sound run of a log that seems to fork.
    func compare(_ run: VerifiedRun, _ session: TourSession) {
        guard mayFork(run.author, session) else { return }
        let tour = session.tour
        prove(run.events, session) { store throws(StoreError) in
            try store.events(
                tour, author: run.author, from: run.first, through: run.last, bytesMax: Limits.pullBytesMax)
        }
    }

    /// Checks control events that arrived without their logs: another event may hold their place.
    func compare(controls: [Event], _ session: TourSession) {
        let tour = session.tour
        for event in controls where mayFork(event.header.author, session) {
            let stored: UInt64 = session.gossip.stored[event.header.author]
            guard event.header.sequence <= stored else { continue }
            prove([event], session) { store throws(StoreError) in
                let found = try store.event(tour, author: event.header.author, sequence: event.header.sequence)
                return found.map { [$0.event] } ?? []
            }
        }
    }

    /// Checks newly stored events against control events that arrived before for the same places.
    func compare(stored events: [Event], _ session: TourSession) {
        for event in events where mayFork(event.header.author, session) {
            guard let rival = session.group.rival(of: event) else { continue }
            prove([rival], session) { _ throws(StoreError) in [event] }
        }
    }

    private func mayFork(_ author: MemberID, _ session: TourSession) -> Bool {
        author != session.own && session.isMember && !session.provenForks.contains(author)
            && session.group.roster.members[author] != nil
    }

    /// Proves a fork, if there is one.
    /// - Parameter others: events of one log.
    /// - Parameter stored: reads the stored events at their places, off the loop.
    private func prove(
        _ others: [Event], _ session: TourSession,
        with stored: @escaping @Sendable (TourStore) throws(StoreError) -> [Event]
    ) {
        guard let id = others.first?.header.author, let author = session.group.roster.members[id] else { return }
        let tour = session.tour
        reader.submit { [self, store] in
            let known = (try? stored(store)) ?? []
            let proof = ForkProof(identity: author.identity, tour: tour, between: known, and: others)
            return { [self] in
                guard let proof else { return }
                assumeIsolated { $0.write(proof, of: id, in: tour) }
            }
        }
    }

    /// Writes one proof for each author while this node runs: an author can fork its log at any number of places.
    private func write(_ proof: ForkProof, of author: MemberID, in tour: TourID) {
        guard let session = sessions[tour], session.isMember, let place = proof.place(in: tour),
            session.group.roster.members[author]?.end?.sequence ?? .max >= place.sequence,
            session.provenForks.insert(author).inserted
        else { return }
        Task {
            do { try await self.write(control: .fork(proof), in: session) } catch {
                // The next run of the other branch shows the fork again.
                session.provenForks.remove(author)
            }
        }
    }
}
