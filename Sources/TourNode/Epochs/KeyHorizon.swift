import TourGroup
import TourModel
import TourStore

/// What the key horizon of a tour reaches of the node.
protocol KeyHorizonHost {
    /// What the store keeps of our membership.
    var records: MembershipRecords { get }
    /// Whether the tour is over for us.
    var isOver: Bool { get }
    /// Whether the membership is the tour's present one, and the node goes on.
    var isCurrent: Bool { get }
    /// Whether the keys are wiped in memory.
    var hasWipedKeys: Bool { get }
    /// Whether events wait for the verifier or the store.
    var isBusy: Bool { get }
    /// The tour with its keys.
    var group: TourGroup { get }

    func closeLinks()

    /// Wipes the keys in memory, with all that was derived from them.
    func wipeKeys()

    /// Writes the keys that are left.
    func saveKeys() throws
}

/// Once a tour has been over for long enough, its keys are wiped: the events that they open stay readable under the
/// storage key. An attacker who recorded the traffic and later takes this device finds no key to it.
/// Source: `Protocol/05-events.md`, "Wiping keys".
final class KeyHorizon {
    private static let dayMilliseconds: Int64 = 86_400_000
    /// Events that are archived in one write.
    private static let archivedAtOnce = 256

    /// When we noticed that the tour is over for us, in milliseconds since 1970.
    private var overSince: Int64?
    private var isWiping = false
    /// The keys are wiped in memory, but perhaps not yet on the disk.
    private var owesWipe: Bool

    init(owesWipe: Bool = false) { self.owesWipe = owesWipe }

    /// Whether the tour has been over for so many days, and its keys are to be wiped now.
    /// - Parameter wallMilliseconds: by our own clock, so that no other clock can bring the day nearer.
    func isPast(days: Int, wallMilliseconds: Int64, in host: some KeyHorizonHost) throws(StoreError) -> Bool {
        guard !isWiping, !host.hasWipedKeys || owesWipe, host.isCurrent else { return false }
        guard let since = try endOfTour(wallMilliseconds, host) else { return false }
        return wallMilliseconds - since >= Int64(days) * Self.dayMilliseconds
    }

    /// Archives the readable events and wipes the keys. The caller has asked `isPast`.
    func wipe(in host: some KeyHorizonHost, on isolation: isolated (any Actor)? = #isolation) async throws {
        isWiping = true
        defer { isWiping = false }
        guard !host.hasWipedKeys else { return try endWipe(host) }
        var last: Int64 = 0
        repeat {
            let (group, records, row) = (host.group, host.records, last)
            last = try await TourNode.besideTheLoop { try Self.archive(group, behind: row, records.store) }
            // Somebody may have admitted us again meanwhile.
            guard host.isOver, host.isCurrent else { return }
            host.closeLinks()
        } while try host.isBusy || !host.records.store.rows(host.group.tour, afterRow: last, limit: 1).isEmpty
        try host.records.keep(owesWipe: true)
        owesWipe = true
        host.wipeKeys()
        try endWipe(host)
    }

    /// - Returns: when we noticed that the tour is over for us; nil while it is not.
    private func endOfTour(_ wallMilliseconds: Int64, _ host: some KeyHorizonHost) throws(StoreError) -> Int64? {
        guard host.isOver else {
            if overSince != nil { try host.records.keep(overSince: nil) }
            overSince = nil
            return nil
        }
        if let overSince { return overSince }
        let kept = try host.records.overSince
        // A clock that was ahead when we noticed must not delay the day.
        let since = min(kept ?? wallMilliseconds, wallMilliseconds)
        if kept != since { try host.records.keep(overSince: since) }
        overSince = since
        return since
    }

    /// - Returns: the last row that was archived.
    private static func archive(_ group: TourGroup, behind row: Int64, _ store: TourStore) throws -> Int64 {
        var last = row
        while true {
            let rows = try store.rows(group.tour, afterRow: last, limit: archivedAtOnce)
            guard let end = rows.last?.row else { return last }
            last = end
            try store.archive(
                rows.compactMap { arrived in
                    (try? group.plaintext(of: arrived.stored.event)).map { (row: arrived.row, content: $0) }
                })
        }
    }

    /// Completes a wipe on the disk. A failure is retried, also after a restart: else the keys would stay for good.
    private func endWipe(_ host: some KeyHorizonHost) throws {
        try host.saveKeys()
        // Empties the database's log, which still held the keys.
        try host.records.store.checkpoint(.whole)
        try host.records.keep(owesWipe: false)
        owesWipe = false
    }
}
