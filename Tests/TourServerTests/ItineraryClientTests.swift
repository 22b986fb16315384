import Foundation
import NIOHTTP1
import ServerBase
import Testing
import TourServer

/// Goal: the client of the guide to collections and samples finds what the guide says, by changing its base address
/// alone. Method: its steps and its table of errors against a whole server.
struct ItineraryClientTests {
    private typealias HTTPError = ItineraryClient.HTTPError

    /// The guide, step by step.
    @Test func sampleIsAddedAsTheGuideSays() async throws {
        try await RunningServer.run { server async throws in
            let client = try await server.itineraryClient("ayse@example.org")
            let collection = try await client.makeCollection("Gün 1")
            #expect(collection.samples.isEmpty && collection.title == "Gün 1" && !collection.isDeleted)
            _ = try await client.makeSample("Uçhisar")
            server.clock.advance(seconds: 1)
            _ = try await client.makeSample("Soyut Çizim")
            // 1: the sample is found in the list.
            let found = try #require(try await client.samples().last)
            #expect(found.title == "Soyut Çizim" && found.materialType == "illustration" && !found.isDeleted)
            // 2: the collection is the caller's, and has no such sample yet.
            let before = try await client.collection(collection.id)
            #expect(before == collection && before.userId == found.userId)
            server.clock.advance(seconds: 10)
            // 3: it is added.
            let entry = try await client.add(found.id, to: collection.id)
            #expect(entry.sampleId == found.id && entry.position == 0 && entry.sample == found)
            #expect(entry.addedAt == Date(timeIntervalSince1970: 1_780_272_011))
            // 4: the collection is fetched anew; the list has the same.
            let after = try await client.collection(collection.id)
            #expect(after.samples == [entry] && after.updatedAt == entry.addedAt)
            #expect(try await client.collections() == [after])
            #expect(try await client.sample(found.id) == found)
        }
    }

    /// As the guide's example has them, to the letter.
    @Test func answersLookAsTheGuideShowsThem() async throws {
        try await RunningServer.run { server async throws in
            let token = try await server.newAccount("a@example.org").access_token
            let made = try await server.send(
                .POST, "/samples", token: token, #"{"title":"Soyut Çizim","materialType":"illustration"}"#)
            #expect(made.status == 201)
            let form = /\{"data":\{"createdAt":"2026-06-01T00:00:00\.000Z","id":"sample_[0-9a-f]{32}",.*\}\}/
            #expect(made.text.wholeMatch(of: form) != nil, "\(made.text)")
            let user = /"userId":"user_[0-9a-f]{32}"/
            #expect(made.text.contains(user) && made.text.contains(#""isDeleted":false"#))
            let collection = try await server.send(.POST, "/collections", token: token, #"{"title":"x"}"#)
            #expect(collection.status == 201 && collection.text.contains(/"id":"col_[0-9a-f]{32}"/))
            #expect(collection.text.contains(#""samples":[]"#))
            // One account has one name, however often it is asked for.
            let names = try [made.text, collection.text].map { try #require($0.firstMatch(of: user)).0 }
            #expect(names[0] == names[1])
            #expect(try await server.send(.GET, "/samples", token: token).text.hasPrefix(#"{"data":["#))
        }
    }

    /// The guide's table of errors.
    @Test func errorsAreThoseOfTheTable() async throws {
        try await RunningServer.run { server async throws in
            let client = try await server.itineraryClient("ayse@example.org")
            let other = try await server.itineraryClient("ben@example.org")
            let nobody = try ItineraryClient(server, token: "x")
            let collection = try await client.makeCollection("Benim").id
            let sample = try await client.makeSample("Benim").id
            let foreign = (try await other.makeCollection("Onun").id, try await other.makeSample("Onun").id)
            let none = String(repeating: "0", count: 32)
            for (who, sample, collection, status) in [
                (nobody, sample, collection, 401), (client, foreign.1, collection, 403),
                (client, sample, foreign.0, 403),
                (other, sample, foreign.0, 403), (client, sample, "col_" + none, 404),
                (client, "sample_" + none, collection, 404), (client, sample, "x", 404), (client, "x", collection, 404),
                (client, collection, collection, 404), (client, sample, sample, 404),
            ] {
                await #expect(throws: HTTPError(status: status), "\(sample) \(collection)") {
                    try await who.add(sample, to: collection)
                }
            }
            _ = try await client.add(sample, to: collection)
            await #expect(throws: HTTPError(status: 409)) { try await client.add(sample, to: collection) }
            for path in ["collections/\(collection)", "samples/\(sample)"] {
                await #expect(throws: HTTPError(status: 403)) { try await other.delete(path) }
                await #expect(throws: HTTPError(status: 401)) { try await nobody.delete(path) }
            }
            await #expect(throws: HTTPError(status: 403)) { try await other.sample(sample) }
            await #expect(throws: HTTPError(status: 403)) { try await other.collection(collection) }
            await #expect(throws: HTTPError(status: 403)) { try await other.remove(sample, from: collection) }
            #expect(try await client.collection(collection).titles == ["Benim"], "nothing of it was done")
        }
    }

    @Test func refusalsSayWhatTheyAreAbout() async throws {
        try await RunningServer.run { server async throws in
            let client = try await server.itineraryClient("ayse@example.org")
            let path = "/collections/\(try await client.makeCollection("x").id)/samples"
            let reply = try await server.send(.POST, path, token: client.token, #"{"sampleId":"sample_1"}"#)
            #expect(reply.status == 404 && reply.code == "not-found" && reply.field == "sampleId")
            let sample = try await client.makeSample("x").id
            let body = #"{"sampleId":"\#(sample)"}"#
            _ = try await server.send(.POST, path, token: client.token, body)
            let twice = try await server.send(
                .POST, path, token: client.token, body, headers: [("Accept-Language", "tr")])
            #expect(twice.code == "already-in-collection" && twice.message == "Örnek zaten koleksiyonda.")
            let order = try await server.send(.PUT, path, token: client.token, #"{"sampleIds":[]}"#)
            #expect(order.status == 409 && order.code == "samples-differ")
        }
    }

    @Test func positionsStayDense() async throws {
        try await RunningServer.run { server async throws in
            let client = try await server.itineraryClient("ayse@example.org")
            let collection = try await client.makeCollection("Gün").id
            var ids = [String]()
            for (position, title) in ["a", "b", "c", "d"].enumerated() {
                ids.append(try await client.makeSample(title).id)
                #expect(try await client.add(ids[position], to: collection).position == position)
            }
            try await client.remove(ids[1], from: collection)
            #expect(try await client.collection(collection).titles == ["a", "c", "d"])
            await #expect(throws: HTTPError(status: 404)) { try await client.remove(ids[1], from: collection) }
            #expect(try await client.add(ids[1], to: collection).position == 3)
            let first: ItineraryClient.Entry = try await client.send(
                "POST", "collections/\(collection)/samples",
                ["sampleId": try await client.makeSample("e").id, "position": 1])
            #expect(first.position == 1)
            #expect(try await client.collection(collection).titles == ["a", "e", "c", "d", "b"])
            for position in [-1, 6] {
                let body = #"{"sampleId":"\#(try await client.makeSample("f").id)","position":\#(position)}"#
                let reply = try await server.send(
                    .POST, "/collections/\(collection)/samples", token: client.token, body)
                #expect(reply.status == 422 && reply.field == "position")
            }
        }
    }

    @Test func sampleIsMadeWithItsCollectionsOrNotAtAll() async throws {
        try await RunningServer.run { server async throws in
            let client = try await server.itineraryClient("ayse@example.org")
            let other = try await server.itineraryClient("ben@example.org")
            let (a, b) = (try await client.makeCollection("A").id, try await client.makeCollection("B").id)
            let sample = try await client.makeSample("x", collectionIds: [a, b, a])
            #expect(try await client.collection(a).samples.map(\.sampleId) == [sample.id])
            #expect(try await client.collection(b).samples.map(\.sampleId) == [sample.id])
            let foreign = try await other.makeCollection("C").id
            for (bad, status) in [("col_" + String(repeating: "f", count: 32), 404), ("x", 404), (foreign, 403)] {
                await #expect(throws: HTTPError(status: status)) {
                    try await client.makeSample("y", collectionIds: [a, bad])
                }
            }
            let many = Array(repeating: a, count: ServerLimits.itineraryIDsMax + 1)
            await #expect(throws: HTTPError(status: 422)) { try await client.makeSample("y", collectionIds: many) }
            #expect(try await client.samples().map(\.title) == ["x"], "no sample was made")
            #expect(try await client.collection(a).titles == ["x"])
            #expect(try await other.collection(foreign).samples.isEmpty)
        }
    }

    @Test func listOfCollectionsIsRewritten() async throws {
        try await RunningServer.run { server async throws in
            let client = try await server.itineraryClient("ayse@example.org")
            var ids = [String]()
            for title in ["A", "B", "C"] { ids.append(try await client.makeCollection(title).id) }
            let sample = try await client.makeSample("x", collectionIds: [ids[0], ids[1]]).id
            for id in ids { _ = try await client.makeSample("y", collectionIds: [id]) }
            func contents() async throws -> [[String]] {
                var lists = [[String]]()
                for id in ids { lists.append(try await client.collection(id).titles) }
                return lists
            }
            #expect(try await contents() == [["x", "y"], ["x", "y"], ["y"]])
            _ = try await client.change(sample, ["collectionIds": [ids[1], ids[2]]])
            #expect(try await contents() == [["y"], ["x", "y"], ["y", "x"]], "in B it keeps its place")
            await #expect(throws: HTTPError(status: 404)) {
                try await client.change(sample, ["title": "z", "collectionIds": [ids[0], "col_x"]])
            }
            #expect(try await contents() == [["y"], ["x", "y"], ["y", "x"]], "all or nothing")
            _ = try await client.change(sample, ["title": "z"])
            #expect(try await contents() == [["y"], ["z", "y"], ["y", "z"]], "without the list it stays")
            _ = try await client.change(sample, ["collectionIds": [String]()])
            #expect(try await contents() == [["y"], ["y"], ["y"]])
            #expect(try await client.sample(sample).title == "z", "it is still there")
        }
    }

    @Test func deletedSampleLeavesEveryCollection() async throws {
        try await RunningServer.run { server async throws in
            let client = try await server.itineraryClient("ayse@example.org")
            let (a, b) = (try await client.makeCollection("A").id, try await client.makeCollection("B").id)
            var ids = [String]()
            for title in ["x", "y", "z"] { ids.append(try await client.makeSample(title, collectionIds: [a, b]).id) }
            try await client.delete("samples/\(ids[1])")
            #expect(try await client.collection(a).titles == ["x", "z"])
            #expect(try await client.collection(b).titles == ["x", "z"])
            await #expect(throws: HTTPError(status: 404)) { try await client.sample(ids[1]) }
            await #expect(throws: HTTPError(status: 404)) { try await client.add(ids[1], to: a) }
            await #expect(throws: HTTPError(status: 404)) { try await client.delete("samples/\(ids[1])") }
            let last = try await client.change(ids[0], ["isDeleted": true])
            #expect(last.isDeleted && last.title == "x")
            #expect(try await client.collections().map(\.titles) == [["z"], ["z"]])
            #expect(try await client.samples().map(\.id) == [ids[2]])
            try await client.delete("collections/\(a)")
            await #expect(throws: HTTPError(status: 404)) { try await client.collection(a) }
            #expect(try await client.collections().map(\.id) == [b])
            #expect(try await client.sample(ids[2]).title == "z", "its samples stay")
        }
    }

    @Test func orderIsChangedAsAWhole() async throws {
        try await RunningServer.run { server async throws in
            let client = try await server.itineraryClient("ayse@example.org")
            let collection = try await client.makeCollection("Gün").id
            var ids = [String]()
            for title in ["a", "b", "c"] {
                ids.append(try await client.makeSample(title, collectionIds: [collection]).id)
            }
            let before = try await client.collection(collection)
            server.clock.advance(seconds: 5)
            let after = try await client.reorder(collection, [ids[2], ids[0], ids[1]])
            #expect(after.titles == ["c", "a", "b"])
            #expect(after.samples.map(\.addedAt) == before.samples.map(\.addedAt), "moving is not adding")
            let fourth = try await client.makeSample("d").id
            for list in [[ids[0], ids[1]], ids + [ids[0]], ids + [fourth], [ids[0], ids[1], "sample_x"], []] {
                await #expect(throws: HTTPError(status: 409)) { try await client.reorder(collection, list) }
            }
            // Somebody added one meanwhile: nothing of it is lost.
            _ = try await client.add(fourth, to: collection)
            await #expect(throws: HTTPError(status: 409)) { try await client.reorder(collection, ids) }
            #expect(try await client.collection(collection).titles == ["c", "a", "b", "d"])
        }
    }

    /// Two devices at once: one of them is told that it is there already.
    @Test func sameSampleIsAddedOnce() async throws {
        try await RunningServer.run { server async throws in
            let client = try await server.itineraryClient("ayse@example.org")
            let collection = try await client.makeCollection("Gün").id
            for round in 0..<5 {
                let sample = try await client.makeSample("x\(round)").id
                let statuses = try await withThrowingTaskGroup(of: Int.self) { tasks in
                    for _ in 0..<4 {
                        tasks.addTask {
                            do {
                                return try await client.add(sample, to: collection).position
                            } catch let error as HTTPError {
                                return error.status
                            }
                        }
                    }
                    return try await tasks.reduce(into: []) { $0.append($1) }.sorted()
                }
                #expect(statuses == [round, 409, 409, 409])
            }
            #expect(try await client.collection(collection).titles == (0..<5).map { "x\($0)" })
        }
    }

    /// Whom the guide's own issuer of tokens knows.
    @Test func tokensOfTheGuidesIssuerOpen() async throws {
        let file = RunningServer.temporaryDirectory() + ".json"
        try OutsideSample.keySet.write(toFile: file, atomically: true, encoding: .utf8)
        defer { try? FileManager.default.removeItem(atPath: file) }
        try await RunningServer.run(
            change: { $0.issuer = OutsideSample.settings(file) }
        ) { server async throws in
            let client = try ItineraryClient(server, token: OutsideSample.token)
            let collection = try await client.makeCollection("Gün").id
            let sample = try await client.makeSample("x", collectionIds: [collection])
            #expect(try await client.collection(collection).samples.map(\.sample) == [sample])
        }
    }
}
