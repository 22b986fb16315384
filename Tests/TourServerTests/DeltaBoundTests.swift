import Foundation
import NIOHTTP1
import ServerBase
import Testing
import TourModel

/// Goal: a delta takes a whole notebook at once, gives it in as many pieces as the device wishes, and refuses what is
/// no delta, with words. Method: a whole server; requests at and beyond the bounds.
struct DeltaBoundTests {
    private static func device(
        _ name: String? = "one", _ body: @escaping @Sendable (DeltaDevice) async throws -> Void
    ) async throws {
        try await RunningServer.run { server async throws in
            let token = try await server.newAccount("a@example.org").access_token
            try await body(DeltaDevice(server: server, token: token, name: name))
        }
    }

    @Test func tenThousandPlacesComeInOneDeltaAndGoInPages() async throws {
        try await Self.device { device async throws in
            var (one, two, app) = (device, device, device)
            two.name = "two"
            app.name = nil
            let places = (1...10_000).map { DeltaDevice.place($0, "Place \($0)", version: 1, base: 0) }
            #expect(try await one.sync(DeltaDevice.bookmarks(places)).isEmpty)
            var told = [String]()
            var sizes = [Int]()
            while true {
                let page = try await two.sync(limit: 3_000)
                told += page.updated_bookmarks.map(\.id)
                sizes.append(page.updated_bookmarks.count)
                guard page.has_more == true else { break }
            }
            #expect(sizes == [3_000, 3_000, 3_000, 1_000])
            #expect(told == (1...10_000).map { DeltaDevice.id($0) })
            let all = try await app.sync()
            #expect(all.updated_bookmarks.count == 10_000 && all.has_more == nil && all.rejected == nil)
            #expect(try await app.sync().isEmpty)
            #expect(try await two.sync().isEmpty)
        }
    }

    /// The pages of who sends meanwhile: nothing of the others' is left out.
    @Test func pagesHoldWhileTheDeviceSends() async throws {
        try await Self.device { device async throws in
            var (one, two) = (device, device)
            two.name = "two"
            _ = try await one.sync(
                DeltaDevice.bookmarks((1...10).map { DeltaDevice.place($0, "A", version: 1, base: 0) }))
            var heard = Set<String>()
            for number in 101...104 {
                let own = DeltaDevice.bookmarks(DeltaDevice.place(number, "B", version: 1, base: 0))
                heard.formUnion(try await two.sync(own, limit: 3).updated_bookmarks.map(\.id))
            }
            while true {
                let page = try await two.sync(limit: 3)
                heard.formUnion(page.updated_bookmarks.map(\.id))
                guard page.has_more == true else { break }
            }
            #expect(heard.isSuperset(of: (1...10).map { DeltaDevice.id($0) }))
        }
    }

    /// Contents that are too much for one answer.
    @Test func longContentsGoInPages() async throws {
        try await Self.device { device async throws in
            var (one, app) = (device, device)
            app.name = nil
            let text = String(repeating: "x", count: Limits.notebookTextBytesMax)
            for start in [0, 40] {
                let places = (start..<start + 40).map {
                    #"{"id":"\#(DeltaDevice.id($0 + 1))","title":"A","note":"\#(text)","sync_version":1}"#
                }
                #expect(try await one.sync(DeltaDevice.bookmarks(places)).rejected?.isEmpty == true)
            }
            // Which does not know that there may be more, and gets the rest when it comes again.
            let sizes = try await app.pageSizes(upTo: 3)
            #expect(sizes == [64, 16, 0])
        }
    }

    @Test func wrongItemSinksNoNeighbour() async throws {
        try await Self.device { device async throws in
            var (one, two) = (device, device)
            two.name = "two"
            let told = try await one.sync(
                DeltaDevice.bookmarks(
                    DeltaDevice.place(1, "A", version: 1), DeltaDevice.place(2, " ", version: 1),
                    #"{"id":"x","title":"B"}"#, #"{"id":"\#(DeltaDevice.id(3))"}"#, "7",
                    DeltaDevice.place(4, "C", version: -1), DeltaDevice.place(5, "D", version: 1))
                    + #""categories":[{"id":"\#(DeltaDevice.id(1))","name":"a place already"}],"#)
            let rejected = told.rejected ?? []
            #expect(rejected.allSatisfy { $0.code == "invalid-field" })
            let fields = Dictionary(rejected.map { ($0.field ?? "", $0.id) }) { first, _ in first }
            #expect(fields["bookmarks[1].title"] == DeltaDevice.id(2))
            #expect(fields["bookmarks[2].id"] == .some(nil))
            #expect(fields["bookmarks[3].title"] == DeltaDevice.id(3))
            #expect(fields["bookmarks[5].sync_version"] == DeltaDevice.id(4))
            #expect(rejected.count == 6, "\(rejected)")
            // Categories come first: the place that took the name of one is the wrong one.
            let got = try await two.sync()
            #expect(got.updated_categories.map(\.name) == ["a place already"])
            #expect(got.updated_bookmarks.map(\.title) == ["D"])
            #expect(rejected.contains { $0.field == "bookmarks[0].id" && $0.id == DeltaDevice.id(1) })
        }
    }

    @Test func guidesAppIsToldWhichFieldAndNothingIsDone() async throws {
        try await Self.device(nil) { device async throws in
            let good = DeltaDevice.place(1, "A", version: 1)
            let cases = [
                (DeltaDevice.bookmarks(good, DeltaDevice.place(2, "", version: 1)), "bookmarks[1].title"),
                (DeltaDevice.bookmarks(good, #"{"id":"\#(DeltaDevice.id(2))"}"#), "bookmarks[1].title"),
                (DeltaDevice.bookmarks(good, #"{"title":"A"}"#), "bookmarks[1].id"),
                (DeltaDevice.bookmarks(good) + #""deleted_ids":{"categories":["x"]},"#, "deleted_ids.categories[0]"),
                (DeltaDevice.bookmarks(good) + #""deletions":[{"kind":"cats","id":"x"}],"#, "deletions[0].kind"),
                (DeltaDevice.bookmarks(good) + #""kinds":["cats"],"#, "kinds[0]"),
                (DeltaDevice.bookmarks(good) + #""limit":0,"#, "limit"),
                (DeltaDevice.bookmarks(good) + #""limit":20001,"#, "limit"),
                (DeltaDevice.bookmarks(good) + #""last_sync_timestamp":"yesterday","#, "last_sync_timestamp"),
                (DeltaDevice.bookmarks(good) + #""categories":{},"#, "categories"),
            ]
            for (fields, field) in cases {
                let reply = try await device.send(fields)
                #expect(reply.status == 422 && reply.field == field, "\(field): \(reply.status) \(reply.text)")
            }
            let long = DeltaDevice.place(3, String(repeating: "a", count: 1_025), version: 1)
            #expect(try await device.send(DeltaDevice.bookmarks(long)).field == "bookmarks[0].title")
            var app = device
            #expect(try await app.sync().isEmpty)
            let named = DeltaDevice(server: device.server, token: device.token, name: String(repeating: "a", count: 65))
            #expect(try await named.send().field == "device")
            #expect(try await device.server.send(.POST, "/api/v1/sync/delta", token: device.token, "[").status == 400)
        }
    }

    /// A number that is not whole, or too large, is the fault of its field, not of the JSON.
    @Test func numbersThatAreNotWholeAreNamed() async throws {
        try await Self.device(nil) { app async throws in
            var named = app
            named.name = "one"
            let id = DeltaDevice.id(1)
            let place = #"{"id":"\#(id)","title":"A""#
            let lost = #"{"id":"\#(id)","kind":"bookmarks","reason":"deleted","item":\#(place)"#
            let upsert = "/api/v1/bookmarks/upsert"
            for number in ["1.5", "9223372036854775808", "1e30", "-1e30", "1e-3"] {
                for (fields, field) in [
                    (#""bookmarks":[\#(place),"sync_version":\#(number)}],"#, "bookmarks[0].sync_version"),
                    (#""bookmarks":[\#(place),"base_version":\#(number)}],"#, "bookmarks[0].base_version"),
                    (#""categories":[{"id":"\#(id)","name":"A","order":\#(number)}],"#, "categories[0].order"),
                    (#""lost":[\#(lost),"sync_version":\#(number)}}],"#, "lost[0].item.sync_version"),
                    (
                        #""deletions":[{"kind":"notes","id":"\#(id)","base_version":\#(number)}],"#,
                        "deletions[0].base_version"
                    ),
                    (#""limit":\#(number),"#, "limit"),
                ] {
                    let reply = try await app.send(fields)
                    #expect(reply.status == 422 && reply.field == field, "\(field) \(number): \(reply.text)")
                    if field.hasPrefix("bookmarks") {
                        let body = "{\(fields.dropLast())}"
                        let stored = try await app.server.send(.POST, upsert, token: app.token, body)
                        #expect(stored.status == 422 && stored.field == field, "\(field) \(number): \(stored.text)")
                    }
                    guard !["deletions[0].base_version", "limit"].contains(field) else { continue }
                    let told = try await named.sync(fields)
                    #expect(told.rejected?.map(\.field) == [field] && told.rejected?.first?.id == id, "\(number)")
                }
            }
            // A whole number may be written as any.
            #expect(try await named.sync(#""bookmarks":[\#(place),"sync_version":1.0}],"#).rejected?.isEmpty == true)
        }
    }

    @Test func tooManyAreRefused() async throws {
        try await Self.device { device async throws in
            let ids = (1...20_001).map { #""\#(DeltaDevice.id($0))""# }
            let reply = try await device.send(#""deleted_ids":{"bookmarks":[\#(ids.joined(separator: ","))]},"#)
            #expect(reply.status == 413 && reply.code == "too-large")
        }
    }

    @Test func notebooksOfOthersAreNotTouched() async throws {
        try await Self.device { device async throws in
            var one = device
            let token = try await device.server.newAccount("b@example.org").access_token
            var other = DeltaDevice(server: device.server, token: token, name: "one")
            _ = try await one.sync(DeltaDevice.bookmarks(DeltaDevice.place(1, "A", version: 1)))
            #expect(try await other.sync().isEmpty)
            // The same name in another notebook is another thing.
            _ = try await other.sync(DeltaDevice.bookmarks(DeltaDevice.place(1, "B", version: 5)))
            _ = try await other.sync(DeltaDevice.deletion("bookmarks", 1))
            one.cursor = nil
            #expect(try await one.sync().updated_bookmarks.map(\.title) == ["A"])
        }
    }

    /// More than one piece of an export, which is one JSON all the same.
    @Test func exportHasEverythingOnce() async throws {
        try await Self.device { device async throws in
            var one = device
            let places = (1...300).map { DeltaDevice.place($0, "Galata \($0)", version: 1) }
            _ = try await one.sync(DeltaDevice.bookmarks(places))
            struct Export: Decodable {
                struct Notebook: Decodable {
                    struct Item: Decodable { var title: String }
                    var bookmarks: [Item]
                    var notes: [Item]
                }
                var notebook: Notebook
            }
            for _ in 0..<ServerLimits.heavyPerCaller + 2 {
                let reply = try await one.server.send(.GET, "/auth/me/export", token: one.token)
                let export: Export = try reply.decoded()
                #expect(Set(export.notebook.bookmarks.map(\.title)).count == 300)
                #expect(export.notebook.bookmarks.count == 300 && export.notebook.notes.isEmpty)
            }
        }
    }

    @Test func notebookGoesWithItsAccount() async throws {
        try await Self.device { device async throws in
            var one = device
            _ = try await one.sync(DeltaDevice.bookmarks(DeltaDevice.place(1, "Galata", version: 1)))
            _ = try await one.server.send(.GET, "/api/v1/profile", token: one.token)
            let export = try await one.server.send(.GET, "/auth/me/export", token: one.token)
            #expect(export.text.contains("Galata") && export.text.contains("profile_id"))
            #expect(try await one.server.send(.DELETE, "/auth/me", token: one.token).status == 204)
            let left = try await one.server.rowCounts(["notebook", "notebook_accounts", "profiles"])
            #expect(left == ["notebook": 0, "notebook_accounts": 0, "profiles": 0])
        }
    }
}

extension DeltaDevice {
    /// How many places each of so many deltas brings.
    fileprivate mutating func pageSizes(upTo count: Int) async throws -> [Int] {
        var sizes = [Int]()
        for _ in 0..<count { sizes.append(try await sync().updated_bookmarks.count) }
        return sizes
    }
}
