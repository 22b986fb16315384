import Logging
import TourCrypto
import TourGroup
import TourModel
import TourRuntime
import TourStore
import TourTransport
import TourWire

// Once a tour has been over for long enough, its keys are wiped: the events that they open stay readable under the
// storage key. An attacker who recorded the traffic and later takes this device finds no key to it.
// Source: `Protocol/05-events.md`, "Wiping keys".
extension TourNode {
    private static let dayMilliseconds: Int64 = 86_400_000

    /// The store's key for when we noticed that a membership was over, in milliseconds since 1970.
    private static func endSetting(_ member: MemberID) -> String { "over-since/\(member.hex)" }

    /// The store's key that marks wiped keys which the database's log may still hold.
    static func owedWipeSetting(_ member: MemberID) -> String { "wipe-owed/\(member.hex)" }

    /// Checks from time to time whether the keys are due to be wiped.
    func reviewKeys(of session: TourSession) {
        let wall = NodeClock.wallMilliseconds
        guard !settings.isOffline, isPastHorizon(session, wall) else { return }
        Task {
            do {
                try await self.wipeKeys(in: session.tour.hex, wallMilliseconds: wall)
            } catch {
                self.logger.error("wiping the keys of a tour failed", metadata: ["error": "\(error)"])
            }
        }
    }

    /// Archives the readable events of a tour and wipes its keys, if the tour has been over for long enough.
    /// - Parameter wallMilliseconds: by our own clock, so that no other clock can bring the day nearer.
    package func wipeKeys(in tour: String?, wallMilliseconds: Int64) async throws {
        let session = try session(tour)
        guard isPastHorizon(session, wallMilliseconds) else { return }
        session.isWipingKeys = true
        defer { session.isWipingKeys = false }
        if session.machine.hasWipedKeys { try endWipe(of: session) } else { try await archiveAndWipe(session) }
    }

    private func isPastHorizon(_ session: TourSession, _ wallMilliseconds: Int64) -> Bool {
        guard !session.isWipingKeys, !session.machine.hasWipedKeys || session.owesWipe, !isStopping else {
            return false
        }
        do {
            guard let since = try overSince(session, wallMilliseconds) else { return false }
            return wallMilliseconds - since >= Int64(settings.keyDays) * Self.dayMilliseconds
        } catch {
            count(error)
            return false
        }
    }

    private func archiveAndWipe(_ session: TourSession) async throws {
        let (store, tour) = (store, session.tour)
        var last: Int64 = 0
        repeat {
            let (group, row) = (session.group, last)
            last = try await Self.besideTheLoop { try Self.archive(tour, behind: row, group, store) }
            // Somebody may have admitted us again meanwhile.
            guard session.state != .active, sessions[tour] === session, !isStopping else { return }
            for connection in session.connections.values { connection.close(saying: .closing) }
        } while try session.machine.isBusy || !store.rows(tour, afterRow: last, limit: 1).isEmpty
        try wipeKeys(of: session)
    }

    /// - Returns: when we noticed that the tour is over for us; nil while it is not.
    private func overSince(_ session: TourSession, _ wallMilliseconds: Int64) throws(StoreError) -> Int64? {
        let name = Self.endSetting(session.own)
        if session.state == .active {
            if session.overSince != nil { try store.setSetting(name, value: nil) }
            session.overSince = nil
            return nil
        }
        if let known = session.overSince { return known }
        let kept = try store.setting(name).flatMap { bytes in
            bytes.count == 8 ? bytes.reduce(Int64(0)) { $0 << 8 | Int64($1) } : nil
        }
        // A clock that was ahead when we noticed must not delay the day.
        let since = min(kept ?? wallMilliseconds, wallMilliseconds)
        if kept != since {
            try store.setSetting(name, value: withUnsafeBytes(of: since.bigEndian) { [UInt8]($0) })
        }
        session.overSince = since
        return since
    }

    private static let archivedAtOnce = 256

    /// - Returns: the last row that was archived.
    private nonisolated static func archive(
        _ tour: TourID, behind row: Int64, _ group: TourGroup, _ store: TourStore
    ) throws -> Int64 {
        var last = row
        while true {
            let rows = try store.rows(tour, afterRow: last, limit: archivedAtOnce)
            guard let end = rows.last?.row else { return last }
            last = end
            try store.archive(
                rows.compactMap { arrived in
                    (try? group.plaintext(of: arrived.stored.event)).map { (row: arrived.row, content: $0) }
                })
        }
    }

    /// Wipes our wrapping keys as well, since the log holds every epoch's key wrapped to one of them.
    private func wipeKeys(of session: TourSession) throws {
        try store.setSetting(Self.owedWipeSetting(session.own), value: [1])
        session.owesWipe = true
        session.machine.wipeKeys(fresh: WrappingKeyPair(), at: NodeClock.reading)
        session.forgetDerivedKeys()
        advertise()
        try endWipe(of: session)
    }

    /// Completes a wipe on the disk. A failure is retried, also after a restart: else the keys would stay for good.
    private func endWipe(of session: TourSession) throws {
        try save(session)
        // Empties the database's log, which still held the keys.
        try store.checkpoint(.whole)
        try store.setSetting(Self.owedWipeSetting(session.own), value: nil)
        session.owesWipe = false
        logger.notice("a tour has been over for long: its keys are wiped, its messages stay readable here")
    }
}
