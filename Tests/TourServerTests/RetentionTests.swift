import Foundation
import NIOHTTP1
import ServerBase
import ServerRequests
import ServerStorage
import ServerTours
import Testing
import TourModel
import TourServer

/// Goal: a tour that nobody uses is announced, then deleted with all that is stored for it; one that somebody writes in
/// stays. Method: a whole server over HTTP with the clock of the test, and the work of its sweep beside it.
struct RetentionTests {
    private static let day: Int64 = 86_400

    /// One sweep of a server that keeps tours for so many days.
    /// - Parameter seconds: how far the clock of who sweeps is from the server's.
    private static func sweep(_ server: RunningServer, days: Int = 30, ahead seconds: Int64 = 0) async throws {
        let door = try OpenedServer(settings: .data(in: server.directory))
        let retention = TourRetention(storage: door.storage, days: days, logger: server.messages.logger)
        try await retention.run(now: server.clock.now + seconds * 1_000_000)
        let blobs = BlobStore(storage: door.storage, directory: door.directory)
        try await TourRemoval(storage: door.storage, blobs: blobs).finish()
        try await door.storage.close()
    }

    private static func endings(_ server: RunningServer) async throws -> [String: Date?] {
        let page = try await server.asOperator { try await $0.tours(limit: 100) }
        return Dictionary(uniqueKeysWithValues: page.rows.map { ($0.name ?? $0.id, $0.deletedAt) })
    }

    private static func actions(_ server: RunningServer) async throws -> [String] {
        let entries = try await server.asOperator { try await $0.audit(limit: 100) }.rows
        return entries.filter { $0.action.hasPrefix("tour-") }.reversed().map { "\($0.actor) \($0.action)" }
    }

    @Test func anUnusedTourIsAnnouncedAndGoes() async throws {
        try await RunningServer.run { server async throws in
            let tour = SampleTour()
            let account = try await server.newGuide().access_token
            _ = try await server.found(tour, token: account)
            let guide = try await server.memberToken(tour.guide)
            #expect(try await server.push(Array(tour.guide.log), token: guide).codes == [])
            let begin = server.clock.now
            server.clock.advance(seconds: 16 * Self.day - 1)
            try await Self.sweep(server)
            #expect(try await Self.endings(server) == [tour.id.hex: nil])
            server.clock.advance(seconds: 1)
            for _ in 1...2 { try await Self.sweep(server) }
            let due = Date(timeIntervalSince1970: Double(begin / 1_000_000 + 30 * Self.day))
            #expect(try await Self.endings(server) == [tour.id.hex: due])
            #expect(try await Self.actions(server) == ["server tour-ending"])
            #expect(server.messages.all.count { $0.contains("will be deleted") && $0.contains(tour.id.hex) } == 1)
            server.clock.advance(seconds: 14 * Self.day - 1)
            try await Self.sweep(server)
            #expect(try await server.rowCounts(["tours"]) == ["tours": 1])
            server.clock.advance(seconds: 1)
            for _ in 1...2 { try await Self.sweep(server) }
            #expect(try await Self.actions(server) == ["server tour-ending", "server tour-deleted"])
            #expect(try await server.tables(where: "tour", is: 1) == [])
            #expect(
                try await server.rowCounts(["tours", "deleted_tours", "ending_tours"])
                    == ["tours": 0, "deleted_tours": 0, "ending_tours": 0])
        }
    }

    @Test func whatIsWrittenTakesTheEndBack() async throws {
        try await RunningServer.run { server async throws in
            let tour = SampleTour()
            let account = try await server.newGuide().access_token
            _ = try await server.found(tour, token: account)
            server.clock.advance(seconds: 20 * Self.day)
            try await Self.sweep(server)
            server.clock.advance(seconds: 9 * Self.day)
            let guide = try await server.memberToken(tour.guide)
            #expect(try await server.push(Array(tour.guide.log), token: guide).codes == [])
            // No sweep sees it before the old end is over, and the tour is quiet once more.
            server.clock.advance(seconds: 20 * Self.day)
            try await Self.sweep(server)
            #expect(try await Self.endings(server) == [tour.id.hex: nil])
            try await Self.sweep(server)
            #expect(
                try await Self.actions(server) == ["server tour-ending", "server tour-kept", "server tour-ending"])
            // It has its notice again.
            server.clock.advance(seconds: 13 * Self.day)
            try await Self.sweep(server)
            #expect(try await server.rowCounts(["tours"]) == ["tours": 1])
            server.clock.advance(seconds: Self.day)
            try await Self.sweep(server)
            #expect(try await server.rowCounts(["tours"]) == ["tours": 0])
        }
    }

    @Test func aPlanStaysUntilItsDayIsOver() async throws {
        try await RunningServer.run { server async throws in
            let account = try await server.newGuide().access_token
            let later = #"{"name":"Later","startDate":"2026-12-01T00:00:00Z"}"#
            #expect(try await server.send(.POST, "/groups", token: account, later).status == 201)
            struct Made: Decodable { var id: String }
            let invited: Made = try await server.send(.POST, "/groups", token: account, #"{"name":"Invited"}"#)
                .decoded()
            #expect(try await server.send(.POST, "/groups", token: account, #"{"name":"Idle"}"#).status == 201)
            server.clock.advance(seconds: 10 * Self.day)
            let again = try await server.logIn("guide@example.org").decoded(Tokens.self).access_token
            let guest = #"{"email":"x@example.org"}"#
            let path = "/groups/\(invited.id)/invitations"
            #expect(try await server.send(.POST, path, token: again, guest).status == 201)
            server.clock.advance(seconds: 10 * Self.day)
            try await Self.sweep(server)
            server.clock.advance(seconds: 15 * Self.day)
            try await Self.sweep(server)
            #expect(Set(try await Self.endings(server).keys) == ["Later", "Invited"])
            server.clock.advance(seconds: 15 * Self.day)
            try await Self.sweep(server)
            #expect(Set(try await Self.endings(server).keys) == ["Later"])
        }
    }

    /// Of two dates the later one counts, whichever it is: a guide moves the start of an old plan.
    @Test func aStartThatIsToComeCountsBesideAnOlderEnd() async throws {
        try await RunningServer.run { server async throws in
            let account = try await server.newGuide().access_token
            let moved = #"{"name":"Moved","startDate":"2026-12-01T00:00:00Z","endDate":"2026-05-02T00:00:00Z"}"#
            let over = #"{"name":"Over","startDate":"2026-05-01T00:00:00Z","endDate":"2026-05-02T00:00:00Z"}"#
            for body in [moved, over] {
                #expect(try await server.send(.POST, "/groups", token: account, body).status == 201)
            }
            for _ in 1...2 {
                server.clock.advance(seconds: 20 * Self.day)
                try await Self.sweep(server)
            }
            #expect(try await Self.endings(server) == ["Moved": nil])
        }
    }

    /// A plan has no events: who gives it another name or date uses it.
    @Test func aChangeOfAPlanTakesTheEndBack() async throws {
        try await RunningServer.run { server async throws in
            struct Made: Decodable { var id: String }
            let account = try await server.newGuide().access_token
            let plan: Made = try await server.send(.POST, "/groups", token: account, #"{"name":"Plan"}"#).decoded()
            server.clock.advance(seconds: 20 * Self.day)
            try await Self.sweep(server)
            let again = try await server.logIn("guide@example.org").decoded(Tokens.self).access_token
            server.clock.advance(seconds: 60)
            let changed = try await server.send(.PATCH, "/groups/\(plan.id)", token: again, #"{"name":"Later"}"#)
            #expect(changed.status == 200)
            server.clock.advance(seconds: 15 * Self.day)
            try await Self.sweep(server)
            #expect(try await Self.endings(server) == ["Later": nil])
            #expect(try await Self.actions(server) == ["server tour-ending", "server tour-kept"])
            for days: Int64 in [2, 13] {
                server.clock.advance(seconds: days * Self.day)
                try await Self.sweep(server)
                #expect(try await server.rowCounts(["tours"]) == ["tours": 1])
            }
            server.clock.advance(seconds: Self.day)
            try await Self.sweep(server)
            #expect(try await server.rowCounts(["tours"]) == ["tours": 0])
        }
    }

    /// A plan has no events: who shares it with an organisation or gives it another owner uses it.
    @Test func aPlanThatIsSharedOrHandedOverTakesTheEndBack() async throws {
        try await OrganisationTests.run { server, scene in
            let later = try await scene.plan("Later")
            server.clock.advance(seconds: 20 * Self.day)
            try await Self.sweep(server)
            #expect(try await server.rowCounts(["ending_tours"]) == ["ending_tours": 2])
            let owner = try await server.logIn("owner@example.org").decoded(Tokens.self).access_token
            server.clock.advance(seconds: 60)
            let tours = scene.path + "/tours/"
            #expect(try await server.send(.PUT, tours + later, token: owner).status == 204)
            let handover = tours + scene.tour + "/owner/\(scene.number(.admin))"
            #expect(try await server.send(.PUT, handover, token: owner).status == 200)
            server.clock.advance(seconds: 15 * Self.day)
            try await Self.sweep(server)
            #expect(try await Self.endings(server) == ["Galata": nil, "Later": nil])
            // What changes nothing is no use.
            let again = try await server.logIn("owner@example.org").decoded(Tokens.self).access_token
            #expect(try await server.send(.PUT, tours + later, token: again).status == 204)
            server.clock.advance(seconds: Self.day)
            try await Self.sweep(server)
            #expect(try await server.rowCounts(["ending_tours"]) == ["ending_tours": 2])
        }
    }

    /// Processes with one database have clocks of their own: none takes back what another has just announced.
    @Test func clocksThatDifferAnnounceOnce() async throws {
        try await RunningServer.run { server async throws in
            _ = try await server.found(SampleTour(), token: try await server.newGuide().access_token)
            server.clock.advance(seconds: 20 * Self.day)
            for ahead: Int64 in [6, 0, 6, 0] { try await Self.sweep(server, ahead: ahead) }
            #expect(try await Self.actions(server) == ["server tour-ending"])
            // One whose clock was wrong by months counts for nothing.
            try await Self.sweep(server, days: 31, ahead: 0)
            try await Self.sweep(server, days: 31, ahead: 100 * Self.day)
            try await Self.sweep(server, days: 31, ahead: 0)
            #expect(try await server.rowCounts(["tours", "ending_tours"]) == ["tours": 1, "ending_tours": 0])
        }
    }

    /// An event that comes while the clock is behind does not make its tour older.
    @Test func aClockThatIsBehindMakesNoTourOlder() async throws {
        try await RunningServer.run { server async throws in
            var tour = SampleTour()
            let account = try await server.newGuide().access_token
            server.clock.advance(seconds: 60)
            _ = try await server.found(tour, token: account)
            let guide = try await server.memberToken(tour.guide)
            #expect(try await server.push(Array(tour.guide.log), token: guide).codes == [])
            // As far as processes on one database may differ.
            server.clock.advance(seconds: -5)
            let text = tour.guide.say("a", under: tour.epoch, at: SampleTour.wall)
            #expect(try await server.push([text], token: guide).codes == [])
            struct Shown: Decodable { var lastSyncTime: Date? }
            let shown: Shown = try await server.send(.GET, "/groups/\(tour.id.hex)", token: account).decoded()
            #expect(shown.lastSyncTime == Date(timeIntervalSince1970: 1_780_272_060))
        }
    }

    /// A clock that is set ahead by mistake ends no tour's notice.
    @Test func aClockThatStepsAheadIsNotBelieved() {
        var steps = ClockSteps()
        /// Whether it is believed that so many days are over, when that many are.
        func isTrusted(_ days: Int64, steady: Int64, seconds: Int64 = 0) -> Bool {
            steps.isTrusted(
                1_780_272_000_000_000 + days * Self.day * 1_000_000,
                steady: (steady * Self.day + seconds) * 1_000_000)
        }
        #expect(isTrusted(0, steady: 0))
        #expect(isTrusted(30, steady: 30), "days that have passed")
        #expect(isTrusted(31, steady: 30, seconds: 1), "within what is let pass")
        #expect(!isTrusted(50, steady: 31))
        #expect(!isTrusted(51, steady: 32), "still ahead")
        #expect(isTrusted(33, steady: 33), "set right")
        #expect(isTrusted(20, steady: 34), "behind")
        // A clock that stays so for the days of a notice was behind before.
        #expect(!isTrusted(400, steady: 40))
        #expect(!isTrusted(413, steady: 53))
        #expect(isTrusted(414, steady: 54))
        #expect(isTrusted(415, steady: 55))
    }

    /// A tour that was unused for long when the setting is new has its notice; a setting that is taken back ends it.
    @Test func aNewSettingGivesNoticeAndAnotherOneBegins() async throws {
        try await RunningServer.run { server async throws in
            _ = try await server.found(SampleTour(), token: try await server.newGuide().access_token)
            server.clock.advance(seconds: 400 * Self.day)
            try await Self.sweep(server)
            server.clock.advance(seconds: 13 * Self.day)
            try await Self.sweep(server)
            #expect(try await server.rowCounts(["tours", "ending_tours"]) == ["tours": 1, "ending_tours": 1])
            try await Self.sweep(server, days: 60)
            server.clock.advance(seconds: 2 * Self.day)
            for _ in 1...2 { try await Self.sweep(server, days: 60) }
            #expect(try await server.rowCounts(["tours", "ending_tours"]) == ["tours": 1, "ending_tours": 1])
            let storage = try TestDatabase.storage(of: server.directory)
            for _ in 1...2 { try await TourRetention.stop(in: storage) }
            try await storage.close()
            #expect(try await server.rowCounts(["tours", "ending_tours"]) == ["tours": 1, "ending_tours": 0])
        }
    }

    /// Two processes that sweep at once do each thing once.
    @Test func manyGoInSlicesOnceEach() async throws {
        try await RunningServer.run { server async throws in
            let account = try await server.newGuide().access_token
            for number in 1...99 {
                if number % 20 == 0 { server.clock.advance(seconds: 30) }
                let made = try await server.send(.POST, "/groups", token: account, #"{"name":"\#(number)"}"#)
                #expect(made.status == 201)
            }
            for (days, left) in [(Int64(20), Int64(99)), (15, 0)] {
                server.clock.advance(seconds: days * Self.day)
                try await withThrowingTaskGroup(of: Void.self) { group in
                    let times = TestDatabase.isPostgres ? 3 : 1
                    for _ in 1...times { group.addTask { try await Self.sweep(server) } }
                    try await group.waitForAll()
                }
                #expect(try await server.rowCounts(["tours"]) == ["tours": left])
            }
            let storage = try TestDatabase.storage(of: server.directory)
            let counts = try await storage.read { sql throws(Failure) in
                try sql.rows("SELECT action, COUNT(*) FROM audit WHERE tour IS NOT NULL GROUP BY action", []).map {
                    row throws(Failure) in "\(try row.text(0)) \(try row.integer(1))"
                }
            }
            try await storage.close()
            #expect(Set(counts) == ["tour-ending 99", "tour-deleted 99"])
        }
    }
}
