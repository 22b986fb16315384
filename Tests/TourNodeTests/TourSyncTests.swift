import Testing
import TourCrypto
import TourGossip
import TourGroup
import TourMailbox
import TourModel
import TourNode
import TourWire

/// Goal: a tour is synced when there is a reason and time has come, one sync at a time; members learn from each other's
/// rows what the server holds.
/// Method: one tour's syncs with a host in memory, whose server and clock the test moves on.
struct TourSyncTests {
    private static let server: Int64 = 1_767_225_600_000

    /// A tour of its creator alone.
    private struct World {
        let keys = MemberKeys.random()
        let roster: Roster
        let tour: TourID

        init() {
            let founding = Founding(
                keys: keys, epochKey: EpochKey.randomKey(), fullHistory: true, salt: [UInt8](repeating: 7, count: 16),
                wallMilliseconds: TourSyncTests.server)
            roster = founding.group.roster
            tour = founding.group.tour
        }

        var creator: MemberID { keys.memberID }

        /// The tour at its creator, or at another device.
        func node(_ keys: MemberKeys? = nil, stored: UInt64 = 0) -> (sync: TourSync, host: MemoryMailboxHost) {
            let host = MemoryMailboxHost(keys: keys ?? self.keys, roster: roster, stored: [creator: stored])
            return (TourSync(tour: tour), host)
        }

        /// The creator's row, after the server said that it has this much of the creator's log.
        func row(through head: UInt64) throws -> ClaimRow {
            let (sync, host) = node()
            host.links = [LinkID(value: 1): host.now]
            sync.receive([creator: head], at: TourSyncTests.server, host)
            sync.sendRows(now: host.now, host)
            return try #require(host.sent[LinkID(value: 1)]?.first)
        }
    }

    private static func pass(_ duration: Duration, _ sync: TourSync, _ host: MemoryMailboxHost) {
        host.now = host.now + duration
        sync.tick(now: host.now, host)
    }

    @Test func aWrittenEventIsSyncedOnce() {
        let (sync, host) = World().node(stored: 3)
        sync.tick(now: host.now, host)
        #expect(host.syncs == 0)
        Self.pass(.seconds(3), sync, host)
        #expect(host.syncs == 1 && sync.isRunning)
        // No second one while the first is in progress.
        sync.request(host)
        Self.pass(.seconds(3), sync, host)
        #expect(host.syncs == 1)
        sync.ended(memory: SyncMemory(), nil, host)
        #expect(!sync.isRunning && host.successes == 1 && host.streams == 1)
        // The request came after the sync began.
        Self.pass(.seconds(1), sync, host)
        #expect(host.syncs == 2)
        sync.ended(memory: SyncMemory(), nil, host)
        #expect(host.streams == 1)
        Self.pass(.seconds(30), sync, host)
        #expect(host.syncs == 2)
    }

    @Test func aFailedSyncWaits() {
        let (sync, host) = World().node(stored: 3)
        sync.request(host)
        sync.tick(now: host.now, host)
        sync.ended(memory: SyncMemory(), .http(status: 503, code: "busy", retryAfter: .seconds(60)), host)
        #expect(host.problems == ["mailbox-http"] && host.streams == 0 && sync.standing(now: host.now).problem != nil)
        host.facts?.stored.raise(host.keys.memberID, to: 4)
        Self.pass(.seconds(30), sync, host)
        #expect(host.syncs == 1)
        // A person's request does not wait.
        sync.request(host)
        sync.tick(now: host.now, host)
        #expect(host.syncs == 2)
    }

    @Test func aTourThatWasLeftIsNotSynced() {
        let (sync, host) = World().node(stored: 3)
        host.facts = nil
        Self.pass(.seconds(3), sync, host)
        sync.receive([host.keys.memberID: 3], at: Self.server, host)
        sync.sendRows(now: host.now, host)
        #expect(host.syncs == 0 && host.stored.isEmpty && host.held == [] && host.sent.isEmpty)
    }

    @Test func theServersWordIsStoredAndShown() {
        let world = World()
        let (sync, host) = world.node(stored: 3)
        let stranger = MemberKeys.random().memberID
        sync.receive([world.creator: 5, stranger: 9], at: Self.server, host)
        #expect(host.stored.map(\.heads) == [[world.creator: 5]] && host.held == [5])
        #expect(sync.known == [world.creator: 5] && sync.confirmed(world.creator) == 5)
        #expect(sync.unsynced(in: Frontier([world.creator: 7])) == 2)
        // Only what can be read is shown.
        sync.stored([world.creator: 5], after: [:], host)
        #expect(host.shown == [1...3])
        sync.receive([world.creator: 5], at: Self.server + 1, host)
        #expect(host.stored.count == 1)
    }

    @Test func aRowIsBelievedOnceAndPassedOn() throws {
        let world = World()
        let row = try world.row(through: 5)
        let (sync, host) = world.node(MemberKeys.random())
        let (from, other) = (LinkID(value: 1), LinkID(value: 2))
        host.links = [from: host.now, other: host.now]
        sync.receive([row], from: from, host)
        #expect(sync.known == [world.creator: 5] && sync.confirmed(world.creator) == 0)
        #expect(host.stored.map(\.member) == [world.creator])
        let passed = host.drainSent()
        #expect(passed[from] == nil && passed[other]?.map(\.hops) == [1])
        sync.receive([row], from: other, host)
        #expect(host.stored.count == 1 && host.sent.isEmpty)
    }

    @Test func aChangedRowIsCounted() throws {
        let world = World()
        var row = try world.row(through: 5)
        row.signature[0] ^= 1
        let (sync, host) = world.node(MemberKeys.random())
        sync.receive([row], from: LinkID(value: 1), host)
        #expect(host.faults == ["bad-signature"] && sync.known.isEmpty)
    }

    /// A member that has not asked the server tells new neighbours what it knows, once.
    @Test func aNewLinkGetsTheRows() throws {
        let world = World()
        let (sync, host) = world.node(MemberKeys.random())
        sync.receive([try world.row(through: 5)], from: LinkID(value: 1), host)
        _ = host.drainSent()
        let link = LinkID(value: 2)
        host.links = [link: host.now]
        sync.sendRows(now: host.now, host)
        #expect(host.sent.isEmpty)
        host.now = host.now + .seconds(6)
        sync.sendRows(now: host.now, host)
        sync.sendRows(now: host.now, host)
        #expect(host.sent[link]?.count == 1)
    }

    @Test func aWatcherSeesASync() async {
        let (sync, host) = World().node(stored: 3)
        var reports = sync.watch(asks: true, host).makeAsyncIterator()
        var progress = SyncProgress()
        progress.pushTotal = 4
        progress.pushed = 1
        sync.record(progress, host)
        sync.ended(memory: SyncMemory(), nil, host)
        #expect(sync.stop().count == 1)
        var seen = [SyncReport]()
        while let report = await reports.next() { seen.append(report) }
        #expect(seen.map(\.state) == [.syncing, .syncing, .synced])
        #expect(seen.map(\.percent) == [0, 25, 25] && seen.map(\.unsynced) == [3, 3, 3])
    }
}
