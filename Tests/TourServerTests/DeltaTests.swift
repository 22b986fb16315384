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

    /// Two apps that know of no bases edit the same version: the second edit is kept where a person sees it.
    @Test func equalVersionsOfAppsKeepTheLoserToo() async throws {
        try await Self.devices { one, two async throws in
            var (first, second, watcher) = (one, two, one)
            (first.name, second.name) = (nil, nil)
            _ = try await first.sync(DeltaDevice.bookmarks(DeltaDevice.place(1, "A", version: 1)))
            _ = try await watcher.sync()
            _ = try await first.sync(DeltaDevice.bookmarks(DeltaDevice.place(1, "one", version: 2)))
            let told = try await second.sync(DeltaDevice.bookmarks(DeltaDevice.place(1, "two", version: 2)))
            #expect(told.updated_bookmarks.map(\.title) == ["one"])
            let seen = try await watcher.sync()
            #expect(seen.updated_lost?.map(\.item.title) == ["two"] && seen.updated_bookmarks.map(\.title) == ["one"])
            // An older version is what an app holds anyway.
            _ = try await second.sync(DeltaDevice.bookmarks(DeltaDevice.place(1, "A", version: 1)))
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
