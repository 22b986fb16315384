import Foundation
import NIOHTTP1
import Testing

/// Goal: what several devices change comes to the same on all of them by the documented rules, and what loses is kept.
/// Method: a whole server; devices with names of their own, and apps without.
struct DeltaTests {
    private static func devices(
        _ body: @escaping @Sendable (DeltaDevice, DeltaDevice) async throws -> Void
    ) async throws {
        try await RunningServer.run { server async throws in
            let token = try await server.newAccount("a@example.org").access_token
            try await body(
                DeltaDevice(server: server, token: token, name: "one"),
                DeltaDevice(server: server, token: token, name: "two"))
        }
    }

    @Test func whatOneSendsTheOtherGetsOnce() async throws {
        try await Self.devices { one, two async throws in
            var (one, two) = (one, two)
            let note = #""notes":[{"id":"\#(DeltaDevice.id(2))","title":"N","content":"c","sync_version":1}],"#
            let sent = try await one.sync(DeltaDevice.bookmarks(DeltaDevice.place(1, "A", version: 1, base: 0)) + note)
            #expect(sent.isEmpty && sent.has_more == false)
            let got = try await two.sync()
            #expect(got.updated_bookmarks.map(\.title) == ["A"] && got.updated_notes?.map(\.content) == ["c"])
            #expect(try await one.sync().isEmpty)
            #expect(try await two.sync().isEmpty)
        }
    }

    @Test func higherVersionWinsAndTheLoserIsKept() async throws {
        try await Self.devices { one, two async throws in
            var (one, two) = (one, two)
            _ = try await one.sync(DeltaDevice.bookmarks(DeltaDevice.place(1, "A", version: 1, base: 0)))
            _ = try await two.sync()
            _ = try await one.sync(DeltaDevice.bookmarks(DeltaDevice.place(1, "one", version: 2, base: 1)))
            // Both began from version 1; the second has changed it twice.
            let told = try await two.sync(DeltaDevice.bookmarks(DeltaDevice.place(1, "two", version: 3, base: 1)))
            #expect(told.updated_bookmarks.isEmpty)
            #expect(told.updated_lost?.map(\.item.title) == ["one"])
            #expect(
                told.updated_lost?.map(\.reason) == ["overruled"] && told.updated_lost?.map(\.kind) == ["bookmarks"])
            let other = try await one.sync()
            #expect(other.updated_bookmarks.map(\.title) == ["two"])
            #expect(other.updated_lost?.map(\.id) == told.updated_lost?.map(\.id))
        }
    }

    /// How an app of the guides sends places, and the version that it gives a new one.
    enum Sending: CaseIterable, CustomTestStringConvertible {
        case delta(version: Int)
        case upsert(version: Int)

        static let allCases = [0, 1].flatMap { [Sending.delta(version: $0), .upsert(version: $0)] }

        var version: Int {
            switch self {
            case .delta(let version), .upsert(let version): version
            }
        }

        var testDescription: String {
            if case .delta = self { "delta, \(version)" } else { "upsert, \(version)" }
        }

        /// Sends one place, without a look at the answer.
        func send(_ title: String, version: Int, from app: DeltaDevice) async throws {
            let places = DeltaDevice.bookmarks(DeltaDevice.place(1, title, version: version))
            let reply =
                switch self {
                case .delta: try await app.send(places)
                case .upsert:
                    try await app.server.send(
                        .POST, "/api/v1/bookmarks/upsert", token: app.token, "{\(places.dropLast())}")
                }
            guard reply.status == 200 else { throw DeltaDevice.Failed(reply: reply) }
        }
    }

    /// Two phones with an app of the guides, each with a login of its own, and a device that sees what is lost.
    private static func phones(
        _ body: @escaping @Sendable (DeltaDevice, DeltaDevice, DeltaDevice) async throws -> Void
    ) async throws {
        try await RunningServer.run { server async throws in
            let token = try await server.newAccount("a@example.org").access_token
            let login = #"{"email":"a@example.org","password":"correct horse"}"#
            let other: Tokens = try await server.send(.POST, "/auth/login", login).decoded()
            try await body(
                DeltaDevice(server: server, token: token), DeltaDevice(server: server, token: other.access_token),
                DeltaDevice(server: server, token: token, name: "watcher"))
        }
    }

    /// The place as a phone has it after a delta: it keeps what it had where it hears nothing.
    private static func hear(_ phone: inout DeltaDevice, _ held: Int) async throws -> (version: Int, title: String?) {
        let told = try await phone.sync().updated_bookmarks.last
        return (told.map { Int($0.sync_version) } ?? held, told?.title)
    }

    /// An app that keeps the version that it received changes a place again and again.
    @Test(arguments: Sending.allCases) func anAppThatCountsNothingLosesNoEdit(by way: Sending) async throws {
        try await Self.phones { first, _, watching async throws in
            var (phone, watcher) = (first, watching)
            var version = way.version
            for title in ["A", "B", "C"] {
                try await way.send(title, version: version, from: phone)
                let heard = try await Self.hear(&phone, version)
                #expect(heard.title == title)
                version = heard.version
            }
            let seen = try await watcher.sync()
            #expect(seen.updated_bookmarks.map(\.title) == ["C"] && seen.updated_lost?.isEmpty == true)
            #expect(version == 3 && seen.updated_bookmarks.first?.sync_version == 3)
            // It sends what it has, and nothing becomes of it.
            try await way.send("C", version: version, from: phone)
            #expect(try await watcher.sync().isEmpty)
            // An app that says 0 always never reads an answer, and still changes what is there.
            for title in ["D", "E"] { try await way.send(title, version: 0, from: phone) }
            let last = try await watcher.sync()
            #expect(last.updated_bookmarks.map(\.title) == ["E"] && last.updated_lost?.isEmpty == true)
        }
    }

    /// Both have the same version, and change it: the second one's is lower, and it gets the first one's.
    @Test(arguments: Sending.allCases) func appsThatCountNothingConflict(by way: Sending) async throws {
        try await Self.phones { first, second, watching async throws in
            var (first, second, watcher) = (first, second, watching)
            try await way.send("A", version: way.version, from: first)
            let version = try await Self.hear(&first, way.version).version
            #expect(try await Self.hear(&second, 0).version == version)
            try await way.send("one", version: version, from: first)
            try await way.send("two", version: version, from: second)
            let heard = try await Self.hear(&second, version)
            #expect(heard.title == "one" && heard.version == version + 1)
            #expect(try await watcher.sync().updated_bookmarks.map(\.title) == ["one"])
            // It goes on from there.
            try await way.send("two", version: heard.version, from: second)
            #expect(try await Self.hear(&first, version + 1).title == "two")
        }
    }

    /// Two apps that count come to the same version: the second edit is stored, and the first kept where a person sees
    /// it.
    @Test(arguments: Sending.allCases) func equalVersionsOfAppsKeepTheLoserToo(by way: Sending) async throws {
        try await Self.phones { first, second, watching async throws in
            var (first, watcher) = (first, watching)
            try await way.send("A", version: 1, from: first)
            _ = try await watcher.sync()
            try await way.send("one", version: 2, from: first)
            try await way.send("two", version: 2, from: second)
            let seen = try await watcher.sync()
            #expect(seen.updated_lost?.map(\.item.title) == ["one"])
            #expect(seen.updated_bookmarks.map(\.title) == ["two"] && seen.updated_bookmarks.first?.sync_version == 3)
            #expect(try await Self.hear(&first, 2).title == "two")
            // An older version is what an app holds anyway.
            try await way.send("A", version: 1, from: first)
            #expect(try await watcher.sync().isEmpty)
        }
    }

    /// The answers that told of higher versions were lost, and the app goes on from the one that it knows.
    @Test(arguments: [Sending.delta(version: 1), .upsert(version: 1)])
    func anAppThatMissedItsAnswersLosesNoEdit(by way: Sending) async throws {
        try await Self.phones { phone, other, watching async throws in
            var watcher = watching
            for title in ["A", "B", "C"] { try await way.send(title, version: way.version, from: phone) }
            let seen = try await watcher.sync()
            #expect(seen.updated_bookmarks.map(\.title) == ["C"] && seen.updated_bookmarks.first?.sync_version == 3)
            #expect(seen.updated_lost?.map(\.item.title) == ["B"])
            // It sends the same again, and another one's session says what it holds anyway.
            try await way.send("C", version: 1, from: phone)
            try await way.send("A", version: 1, from: other)
            #expect(try await watcher.sync().isEmpty)
        }
    }

    /// An app of the guides finds each key of its own, and a device with a name no more than what is there.
    @Test func whatIsNotThereIsNullForApps() async throws {
        try await Self.devices { one, _ async throws in
            var app = one
            app.name = nil
            let category = #""categories":[{"id":"\#(DeltaDevice.id(2))","name":"C"}],"#
            // A text that looks like a key is none.
            let place = #"{"id":"\#(DeltaDevice.id(1))","title":",\"url\":","note":"n","sync_version":1}"#
            _ = try await app.sync(DeltaDevice.bookmarks(place) + category)
            app.cursor = nil
            let text = try await app.send().text
            for key in ["local_id", "category_id", "url", "file_url"] {
                #expect(text.contains("\"\(key)\":null"), "\(key)")
            }
            #expect(text.contains(#""note":"n""#) && !text.contains(#""note":null"#))
            #expect(text.split(separator: "\"local_id\":null").count == 3)
            #expect(try await !one.send().text.contains("null"))
            let profile = try await one.server.send(
                .GET, "/api/v1/profile",
                token: try await one.server.send(.POST, "/auth/anonymous").decoded(Tokens.self).access_token)
            #expect(profile.text.contains(#""email":null"#) && profile.text.contains(#""last_sync_at":null"#))
        }
    }

    @Test func equalVersionsKeepTheServersAndTheLoser() async throws {
        try await Self.devices { one, two async throws in
            var (one, two) = (one, two)
            _ = try await one.sync(DeltaDevice.bookmarks(DeltaDevice.place(1, "one", version: 1, base: 0)))
            let push = DeltaDevice.bookmarks(DeltaDevice.place(1, "two", version: 1, base: 0))
            let told = try await two.sync(push)
            #expect(told.updated_bookmarks.map(\.title) == ["one"])
            #expect(told.updated_lost?.map(\.item.title) == ["two"])
            // Its answer was lost, and it sends the same again: nothing is kept twice.
            two.cursor = nil
            let again = try await two.sync(push)
            #expect(again.updated_bookmarks.map(\.title) == ["one"])
            #expect(again.updated_lost?.map(\.id) == told.updated_lost?.map(\.id))
            // Dismissed is dismissed.
            let lost = try #require(told.updated_lost?.first?.id)
            _ = try await one.sync(#""deleted_ids":{"lost":["\#(lost)"]},"#)
            let after = try await two.sync(push)
            #expect(after.updated_lost?.isEmpty == true && after.deleted_ids["lost"] == [lost])
        }
    }

    /// The device that wrote what is there has not lost anything: only the answer was.
    @Test func repeatedPushesChangeNothing() async throws {
        try await Self.devices { one, two async throws in
            var (one, two) = (one, two)
            let push = DeltaDevice.bookmarks(DeltaDevice.place(1, "A", version: 1, base: 0))
            _ = try await one.sync(push)
            let cursor = one.cursor
            #expect(try await one.sync(push).isEmpty)
            #expect(one.cursor == cursor)
            let later = try await one.sync(DeltaDevice.bookmarks(DeltaDevice.place(1, "B", version: 2, base: 0)))
            #expect(later.isEmpty)
            let got = try await two.sync()
            #expect(got.updated_bookmarks.map(\.title) == ["B"] && got.updated_lost?.isEmpty == true)
        }
    }

    @Test func deletedStaysDeletedAndWhatLostIsKept() async throws {
        try await Self.devices { one, two async throws in
            var (one, two) = (one, two)
            _ = try await one.sync(
                DeltaDevice.bookmarks(
                    DeltaDevice.place(1, "A", version: 1, base: 0), DeltaDevice.place(2, "B", version: 1, base: 0)))
            _ = try await two.sync()
            // An edit that comes after the deletion.
            _ = try await one.sync(DeltaDevice.deletion("bookmarks", 1, base: 1))
            let late = try await two.sync(DeltaDevice.bookmarks(DeltaDevice.place(1, "late", version: 2, base: 1)))
            #expect(late.deleted_ids["bookmarks"] == [DeltaDevice.id(1)] && late.updated_bookmarks.isEmpty)
            #expect(late.updated_lost?.map(\.item.title) == ["late"])
            #expect(late.updated_lost?.map(\.reason) == ["deleted"])
            // A deletion that comes after an edit it does not know.
            _ = try await two.sync(DeltaDevice.bookmarks(DeltaDevice.place(2, "edited", version: 2, base: 1)))
            let told = try await one.sync(DeltaDevice.deletion("bookmarks", 2, base: 1))
            #expect(told.updated_bookmarks.isEmpty && told.deleted_ids["bookmarks"] == [])
            #expect(Set((told.updated_lost ?? []).map(\.item.title)) == ["late", "edited"])
            #expect(try await two.sync().deleted_ids["bookmarks"] == [DeltaDevice.id(2)])
            // What never was here is deleted all the same: another device's copy does not bring it.
            _ = try await one.sync(DeltaDevice.deletion("bookmarks", 3))
            let copy = try await two.sync(DeltaDevice.bookmarks(DeltaDevice.place(3, "copy", version: 9)))
            #expect(copy.deleted_ids["bookmarks"] == [DeltaDevice.id(3)] && copy.updated_lost?.isEmpty == true)
        }
    }

    @Test func deletedStopLeavesItsItineraries() async throws {
        try await Self.devices { one, two async throws in
            var (one, two) = (one, two)
            let stops = (1...3).map { #"{"id":"\#(DeltaDevice.id($0))","title":"S\#($0)","sync_version":1}"# }
            let entries = (1...3).map { #"{"id":"\#(DeltaDevice.id($0))","added_at":"2026-06-01T00:00:00Z"}"# }
            let itinerary = #"{"id":"\#(DeltaDevice.id(9))","title":"I","sync_version":1,"samples":"#
            _ = try await one.sync(
                #""samples":[\#(stops.joined(separator: ","))],"#
                    + #""collections":[\#(itinerary)[\#(entries.joined(separator: ","))]}],"#)
            let told = try await two.sync(DeltaDevice.deletion("samples", 2))
            #expect(told.updated_collections?.first?.samples?.map(\.id) == [DeltaDevice.id(1), DeltaDevice.id(3)])
            #expect(told.updated_collections?.first?.sync_version == 2)
            #expect(told.updated_samples?.count == 2 && told.deleted_ids["samples"] == [])
            let other = try await one.sync()
            #expect(other.updated_collections?.first?.samples?.count == 2)
            #expect(other.deleted_ids["samples"] == [DeltaDevice.id(2)])
        }
    }

    @Test func clockThatStepsBackHidesNothing() async throws {
        try await Self.devices { one, two async throws in
            var (one, two) = (one, two)
            _ = try await one.sync(DeltaDevice.bookmarks(DeltaDevice.place(1, "A", version: 1, base: 0)))
            #expect(try await two.sync().updated_bookmarks.count == 1)
            one.server.clock.advance(seconds: -60)
            _ = try await one.sync(DeltaDevice.bookmarks(DeltaDevice.place(2, "B", version: 1, base: 0)))
            let got = try await two.sync()
            #expect(got.updated_bookmarks.map(\.title) == ["B"])
            one.server.clock.advance(seconds: 120)
            _ = try await one.sync(DeltaDevice.bookmarks(DeltaDevice.place(3, "C", version: 1, base: 0)))
            #expect(try await two.sync().updated_bookmarks.map(\.title) == ["C"])
            // A place that this database never gave: it is an older copy, and everything is told.
            two.cursor = "2026-06-02T00:00:00.000000Z"
            #expect(try await two.sync().updated_bookmarks.count == 3)
        }
    }

    /// The first cursor of an empty notebook hides nothing either.
    @Test func clockThatStepsBackOverAnEmptyNotebookHidesNothing() async throws {
        try await Self.devices { one, two async throws in
            var (one, two) = (one, two)
            #expect(try await two.sync().isEmpty)
            one.server.clock.advance(seconds: -60)
            _ = try await one.sync(DeltaDevice.bookmarks(DeltaDevice.place(1, "A", version: 1, base: 0)))
            one.server.clock.advance(seconds: 120)
            _ = try await one.sync(DeltaDevice.bookmarks(DeltaDevice.place(2, "B", version: 1, base: 0)))
            #expect(try await two.sync().updated_bookmarks.map(\.title) == ["A", "B"])
        }
    }

    @Test func twoDevicesAtOnceMissNothingAndHearNothingTwice() async throws {
        try await Self.devices { one, two async throws in
            /// Ten pushes of its own; what it was told meanwhile.
            @Sendable func run(_ device: DeltaDevice, from first: Int) async throws -> (DeltaDevice, [String]) {
                var device = device
                var heard = [String]()
                for number in first..<first + 10 {
                    let place = DeltaDevice.place(number, "P\(number)", version: 1, base: 0)
                    heard += try await device.sync(DeltaDevice.bookmarks(place)).updated_bookmarks.map(\.id)
                }
                return (device, heard)
            }
            async let first = run(one, from: 100)
            async let second = run(two, from: 200)
            for (ended, others) in [(try await first, 200..<210), (try await second, 100..<110)] {
                var (device, heard) = ended
                heard += try await device.sync().updated_bookmarks.map(\.id)
                #expect(heard.sorted() == others.map { DeltaDevice.id($0) })
            }
        }
    }
}
