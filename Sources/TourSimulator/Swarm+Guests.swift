import TourModel

// A swarm's requirements on guests.
extension Swarm {
    /// Rows of guests come every ten seconds at least, and say of what is older than some seconds that the guest has
    /// all of it.
    private static let receiptsLimit: Duration = .seconds(90)

    /// What holds at any time.
    var guestCheckers: [any Checker] { guests.map { [GuestChecker(guests: $0), GuestClaimChecker(guests: $0)] } ?? [] }

    /// What holds once all is well.
    var guestLogCheckers: [any Checker] { guests.map { [GuestLogChecker(guests: $0)] } ?? [] }

    func awaitGuestReceipts() -> SwarmFailure? {
        guard let guests else { return nil }
        let checker = GuestReceiptChecker(guests: guests)
        let time = simulation.run(atMost: Self.receiptsLimit) { checker.problems(in: simulation).isEmpty }
        guard time == nil, let found = firstFailure([checker]) else { return nil }
        return SwarmFailure(checker: found.checker, problem: "not within \(Self.receiptsLimit): \(found.problem)")
    }
}
