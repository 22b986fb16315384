import Foundation
import NIOHTTP1
import ServerBase
import ServerNotebook
import ServerStorage
import Testing
import TourModel
import TourNotebook
import TourServer

/// Goal: pictures and files of saved places come whole or not at all, are their owner's alone, and go when nothing
/// names them. Method: a whole server; forms as apps send them, and as they should not.
struct UploadTests {
    private struct Scene {
        let server: RunningServer
        let token: String

        init(_ server: RunningServer, _ email: String = "a@example.org") async throws {
            self.server = server
            token = try await server.newAccount(email).access_token
        }

        struct Answer: Decodable {
            struct Place: Decodable {
                var id: String
                var title: String
                var image_urls: [String]
                var file_url: String?
                var sync_version: Int64
            }
            var bookmarks: [Place]
        }

        static func payload(_ places: String...) -> Data {
            Data(#"{"bookmarks":[\#(places.joined(separator: ","))]}"#.utf8)
        }

        func send(_ form: SampleForm) async throws -> Reply {
            try await send(bytes: form.bytes)
        }

        func send(bytes: [UInt8], headers: [(String, String)] = [SampleForm.type]) async throws -> Reply {
            try await server.send(
                .POST, "/api/v1/bookmarks/upsert", token: token, bytes: bytes, headers: headers)
        }

        /// One place with these pictures.
        func save(_ version: Int, _ pictures: [Data], file: Data? = nil) async throws -> Reply {
            try await send(Self.form(version, pictures, file: file))
        }

        static func form(_ version: Int, _ pictures: [Data], file: Data? = nil) -> SampleForm {
            var form = SampleForm()
            form.add("payload", payload(DeltaDevice.place(1, "A", version: version)))
            for picture in pictures { form.add("images[]", fileName: "a.jpg", type: "image/jpeg", picture) }
            if let file { form.add("file", fileName: "../../a\u{202e} b.html", type: "text/html", file) }
            return form
        }

        func load(_ address: String, token: String? = nil) async throws -> Reply {
            let place = address.range(of: "/api/")?.lowerBound ?? address.startIndex
            return try await server.send(.GET, String(address[place...]), token: token ?? self.token)
        }

        /// Names and sizes of what lies in the folders.
        func stored() -> [String] {
            let files = FileManager.default.enumerator(atPath: server.directory + "/files")
            return (files?.compactMap { $0 as? String } ?? []).filter { $0.contains("/") }.sorted()
        }

        func sweep(after seconds: Int64) async throws {
            let door = try OpenedServer(settings: .data(in: server.directory))
            let files = NotebookFiles(storage: door.storage, directory: door.directory)
            try await files.sweep(now: server.clock.now + seconds * 1_000_000)
            try await door.storage.close()
        }
    }

    private static let picture = SampleFile.jpeg(100_000, seed: 1)

    @Test func picturesAreAddedAndTheFileIsReplaced() async throws {
        try await RunningServer.run { server async throws in
            let scene = try await Scene(server)
            let first: Scene.Answer = try await scene.save(1, [Self.picture, SampleFile.png], file: Data("x".utf8))
                .decoded()
            let place = try #require(first.bookmarks.first)
            #expect(place.sync_version == 1 && place.image_urls.count == 2 && place.title == "A")
            #expect(try await scene.load(place.image_urls[1]).headers.first(name: "Content-Type") == "image/png")
            // What runs in a page is never shown in one.
            let file = try await scene.load(try #require(place.file_url))
            #expect(file.headers.first(name: "Content-Type") == "text/html")
            #expect(file.headers.first(name: "X-Content-Type-Options") == "nosniff")
            #expect(file.headers.first(name: "Content-Security-Policy")?.contains("sandbox") == true)
            #expect(file.headers.first(name: "Content-Disposition") == "attachment; filename*=UTF-8''a%20b.html")
            // The same again: the answer may have been lost.
            let again: Scene.Answer = try await scene.save(1, [Self.picture], file: Data("x".utf8)).decoded()
            #expect(again.bookmarks.first?.image_urls == place.image_urls)
            #expect(again.bookmarks.first?.file_url == place.file_url && again.bookmarks.first?.sync_version == 1)
            #expect(scene.stored().count == 3)
            // More for a place that is there is its next version.
            let more: Scene.Answer = try await scene.save(1, [SampleFile.jpeg(50, seed: 3)], file: Data("y".utf8))
                .decoded()
            #expect(more.bookmarks.first?.image_urls.prefix(2).elementsEqual(place.image_urls) == true)
            #expect(more.bookmarks.first?.image_urls.count == 3 && more.bookmarks.first?.sync_version == 2)
            #expect(more.bookmarks.first?.file_url != place.file_url)
        }
    }

    /// Somebody chose the same picture twice, and gets it twice, however often the request comes.
    @Test func equalPicturesOfOneRequestAreTwo() async throws {
        try await RunningServer.run { server async throws in
            let scene = try await Scene(server)
            let first: Scene.Answer = try await scene.save(1, [Self.picture, Self.picture]).decoded()
            let place = try #require(first.bookmarks.first)
            #expect(place.image_urls.count == 2 && Set(place.image_urls).count == 2)
            let again: Scene.Answer = try await scene.save(1, [Self.picture, Self.picture]).decoded()
            #expect(again.bookmarks.first?.image_urls == place.image_urls)
            let third: Scene.Answer = try await scene.save(1, [Self.picture, Self.picture, Self.picture]).decoded()
            #expect(third.bookmarks.first?.image_urls.count == 3 && scene.stored().count == 3)
        }
    }

    @Test func addressesHaveTheNameThatTheOperatorGives() async throws {
        try await RunningServer.run(change: { $0.publicURL = "https://tours.example.org/" }) { server async throws in
            let answer: Scene.Answer = try await Scene(server).save(1, [SampleFile.png]).decoded()
            let address = answer.bookmarks.first?.image_urls.first ?? ""
            #expect(address.hasPrefix("https://tours.example.org/api/v1/files/"))
        }
    }

    @Test func wrongPicturesAreRefusedAndNothingStays() async throws {
        try await RunningServer.run { server async throws in
            let scene = try await Scene(server)
            let page = Data("<html><script>alert(1)</script></html>".utf8)
            for wrong in [page, Data("RIFF1234WAVEfmt ".utf8), Data([0xFF, 0xD8]), Data()] {
                let reply = try await scene.save(1, [Self.picture, wrong])
                #expect(reply.status == 422 && reply.field == "images[1]", "\(reply.text)")
            }
            // Far beyond what is read before it is known.
            let long = try await scene.save(1, [page + Data(count: 3_000_000)])
            #expect(long.status == 422 && long.field == "images[0]")
            #expect(scene.stored() == [])
            let rows = try await server.rowCounts(["notebook", "notebook_files", "notebook_uses"])
            #expect(rows == ["notebook": 0, "notebook_files": 0, "notebook_uses": 0])
        }
    }

    @Test func formThatIsNoneLeavesNothing() async throws {
        try await RunningServer.run { server async throws in
            let scene = try await Scene(server)
            var whole = SampleForm()
            whole.add("images[]", fileName: "a.jpg", type: "image/jpeg", Self.picture)
            let withoutPayload = try await scene.send(whole)
            #expect(withoutPayload.status == 422 && withoutPayload.field == "payload")
            whole.add("payload", Scene.payload(DeltaDevice.place(1, "A", version: 1)))
            // Cut after the picture, in its middle, and before the last boundary.
            for length in [whole.bytes.count - 30, 50_000, 60, whole.bytes.count - 4] {
                let reply = try await scene.send(bytes: Array(whole.bytes[..<length]))
                #expect(reply.status == 400 && reply.code == "bad-request", "\(length): \(reply.text)")
            }
            var broken = SampleForm()
            broken.add("payload", Data("{".utf8))
            #expect(try await scene.send(broken).field == "payload")
            let nameless = "--\(SampleForm.boundary)\r\nContent-Type: text/plain\r\n\r\nx\r\n"
            #expect(try await scene.send(bytes: Array(nameless.utf8) + SampleForm().bytes).status == 400)
            for type in ["multipart/form-data", "multipart/form-data; boundary=\"\"", "text/plain", "multipart/mixed"] {
                let reply = try await scene.send(bytes: SampleForm().bytes, headers: [("Content-Type", type)])
                #expect(reply.status == (type.contains("form") ? 400 : 415), "\(type)")
            }
            #expect(scene.stored() == [])
            let rows = try await server.rowCounts(["notebook", "notebook_files"])
            #expect(rows == ["notebook": 0, "notebook_files": 0])
        }
    }

    /// The connection ends in the middle of a picture.
    @Test func uploadThatIsCutLeavesNothing() async throws {
        try await RunningServer.run { server async throws in
            let scene = try await Scene(server)
            let head = """
                POST /api/v1/bookmarks/upsert HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer \(scene.token)\r
                Content-Type: \(SampleForm.type.1)\r\nContent-Length: 10000000\r\n\r
                --\(SampleForm.boundary)\r\nContent-Disposition: form-data; name="file"; filename="a"\r\n\r\n
                """
            let client = try await RawClient(server.port)
            try client.write(head + String(repeating: "x", count: 100_000))
            // It has begun when there is something on the disk.
            let hasBegun = try await server.repeats { !scene.stored().isEmpty }
            #expect(hasBegun)
            client.close()
            let isGone = try await server.repeats { scene.stored().isEmpty }
            #expect(isGone)
            let isForgotten = try await server.repeats {
                try await server.rowCounts(["notebook_files"]) == ["notebook_files": 0]
            }
            #expect(isForgotten)
        }
    }

    /// Something that ends what an account may do, while it sends.
    enum Ending: CaseIterable {
        case loggedOut, disabled, deleted
    }

    /// A token that was good at the head of a long request says nothing about its end.
    @Test(arguments: Ending.allCases) func uploadOfAnEndedSessionIsRefusedAtItsEnd(_ ending: Ending) async throws {
        try await RunningServer.run { server async throws in
            let scene = try await Scene(server)
            let text = String(decoding: Scene.form(1, [], file: Data(count: 4_000_000)).bytes, as: UTF8.self)
            let (first, rest) = (text.prefix(3_000_000), text.dropFirst(3_000_000))
            let client = try await RawClient(server.port)
            try client.write(
                """
                POST /api/v1/bookmarks/upsert HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer \(scene.token)\r
                Content-Type: \(SampleForm.type.1)\r\nContent-Length: \(text.utf8.count)\r\n\r\n
                """ + first)
            let hasBegun = try await server.repeats { !scene.stored().isEmpty }
            #expect(hasBegun)
            switch ending {
            case .loggedOut:
                #expect(try await server.send(.POST, "/auth/logout", token: scene.token).status == 204)
            case .disabled: try await server.asOperator { _ = try await $0.setDisabled(true, "a@example.org") }
            case .deleted: #expect(try await server.send(.DELETE, "/auth/me", token: scene.token).status == 204)
            }
            try client.write(String(rest))
            let answer = await client.read(until: "\"unauthenticated\"")
            #expect(answer.hasPrefix("HTTP/1.1 401 "), "\(answer)")
            client.reset()
            let isGone = try await server.repeats { scene.stored().isEmpty }
            #expect(isGone)
            #expect(try await server.rowCounts(["notebook"]) == ["notebook": 0])
        }
    }

    @Test func partsBelongToOnePlaceThatIsThere() async throws {
        try await RunningServer.run { server async throws in
            let scene = try await Scene(server)
            var several = SampleForm()
            several.add(
                "payload",
                Scene.payload(DeltaDevice.place(1, "A", version: 1), DeltaDevice.place(2, "B", version: 1)))
            #expect(try await scene.send(several).decoded(Scene.Answer.self).bookmarks.count == 2)
            several.add("images[]", fileName: "a.png", SampleFile.png)
            let refused = try await scene.send(several)
            #expect(refused.status == 422 && refused.field == "bookmarks")
            var device = DeltaDevice(server: server, token: scene.token, name: "one")
            _ = try await device.sync(DeltaDevice.deletion("bookmarks", 1))
            let deleted = try await scene.save(5, [SampleFile.png])
            #expect(deleted.status == 404 && scene.stored() == [])
            let plain = try await scene.send(
                bytes: Array(Scene.payload(DeltaDevice.place(3, "C", version: 1))),
                headers: [("Content-Type", "application/json")])
            #expect(try plain.decoded(Scene.Answer.self).bookmarks.map(\.title) == ["C"])
        }
    }

    @Test func boundsOfAForm() async throws {
        try await RunningServer.run { server async throws in
            let scene = try await Scene(server)
            let pictures = (0..<33).map { SampleFile.jpeg(20, seed: UInt64($0)) }
            #expect(try await scene.save(1, pictures).field == "images")
            let full: Scene.Answer = try await scene.save(1, Array(pictures.prefix(32))).decoded()
            #expect(full.bookmarks.first?.image_urls.count == 32)
            #expect(try await scene.save(1, [pictures[32]]).field == "images")
            #expect(scene.stored().count == 32)
        }
    }

    /// The client reads while it writes: the connection ends a second after the answer, short on a busy machine.
    @Test func filesBeyondTheBoundAreRefused() async throws {
        try await RunningServer.run { server async throws in
            let scene = try await Scene(server)
            let form = Scene.form(1, [], file: Data(count: Limits.notebookFileBytesMax + 1)).bytes
            let head = """
                POST /api/v1/bookmarks/upsert HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer \(scene.token)\r
                Content-Type: \(SampleForm.type.1)\r\nContent-Length: \(form.count)\r\n\r\n
                """
            let answer = try await RawClient.exchange(server.port, [head, String(decoding: form, as: UTF8.self)])
            #expect(answer.hasPrefix("HTTP/1.1 413 ") && answer.contains(#""code":"too-large""#), "\(answer)")
            #expect(scene.stored() == [])
        }
    }

    @Test func filesAreTheirOwnersAlone() async throws {
        try await RunningServer.run { server async throws in
            let scene = try await Scene(server)
            let answer: Scene.Answer = try await scene.save(1, [SampleFile.png]).decoded()
            let address = try #require(answer.bookmarks.first?.image_urls.first)
            let other = try await Scene(server, "b@example.org")
            #expect(try await other.load(address).code == "forbidden")
            #expect(try await other.load("/api/v1/files/" + DeltaDevice.id(1)).status == 404)
            #expect(try await other.load("/api/v1/files/..%2f..%2fserver.key").status == 404)
            // Who names somebody else's file, or one elsewhere, names none.
            var device = DeltaDevice(server: server, token: other.token, name: "one")
            let place = #"{"id":"\#(DeltaDevice.id(7))","title":"T","sync_version":1,"image_urls":"#
            let told = try await device.sync(
                #""bookmarks":[\#(place)["\#(address)","https://example.org/a.jpg"]}],"#)
            #expect(told.updated_bookmarks.map(\.image_urls) == [[]])
            #expect(try await scene.load(address).status == 200)
        }
    }

    /// An `<img>` or an AsyncImage sends no token.
    @Test func addressesOpenWithoutATokenUntilTheyEnd() async throws {
        try await RunningServer.run { server async throws in
            let scene = try await Scene(server)
            let answer: Scene.Answer = try await scene.save(1, [SampleFile.png, Self.picture], file: Data("x".utf8))
                .decoded()
            let place = try #require(answer.bookmarks.first)
            func open(_ address: String) async throws -> Reply {
                let start = try #require(address.range(of: "/api/")).lowerBound
                return try await server.send(.GET, String(address[start...]))
            }
            #expect(try await open(place.image_urls[0]).body == SampleFile.png)
            #expect(try await open(try #require(place.file_url)).text == "x")
            let parts = place.image_urls[0].split(separator: "?")
            let (path, query) = (String(parts[0]), String(parts[1]))
            let others: Scene.Answer = try await Scene(server, "b@example.org").save(1, [SampleFile.png]).decoded()
            let other = try #require(others.bookmarks.first?.image_urls.first?.split(separator: "?").map(String.init))
            let until = try #require(query.firstMatch(of: /until=(\d+)/).flatMap { Int64($0.1) })
            let first = try #require(query.firstMatch(of: /proof=(.)/)?.1)
            let wrong: [(path: String, query: String)] = [
                (path, query.replacing("proof=\(first)", with: first == "A" ? "proof=B" : "proof=A")),
                (path, query.replacing("until=\(until)", with: "until=\(until + 1)")),
                (path, query.replacing("until=", with: "till=")), (path, String(query.dropLast())),
                (path, "until=\(until)&proof="), (path, "proof=x"),
                // Proofs of another file of the account, of another account's file, and by that account.
                (place.image_urls[1].split(separator: "?").map(String.init)[0], query), (other[0], query),
                (path, other[1]), ("/api/v1/files/\(DeltaDevice.id(1))", query),
            ]
            for (path, query) in wrong {
                let reply = try await open("\(path)?\(query)")
                #expect(reply.status == 403 && reply.code == "forbidden", "\(query): \(reply.status)")
            }
            #expect(try await open(path).status == 401)
            // The same address for hours, so that a cache knows it; not for longer than a day.
            server.clock.advance(seconds: ServerLimits.fileAddressLifetime / 2 - 10)
            let again: Scene.Answer = try await Scene(server).save(1, [SampleFile.png]).decoded()
            #expect(again.bookmarks.first?.image_urls == place.image_urls)
            #expect(until * 1_000_000 - server.clock.now > ServerLimits.fileAddressLifetime / 2 * 1_000_000)
            #expect(try await open(place.image_urls[0]).status == 200)
            server.clock.advance(seconds: ServerLimits.fileAddressLifetime / 2 + 10)
            #expect(try await open(place.image_urls[0]).status == 403)
        }
    }

    @Test func addressesOfADisabledAccountOpenNothing() async throws {
        try await RunningServer.run { server async throws in
            let scene = try await Scene(server)
            let answer: Scene.Answer = try await scene.save(1, [SampleFile.png]).decoded()
            let address = try #require(answer.bookmarks.first?.image_urls.first)
            let path = String(address[try #require(address.range(of: "/api/")).lowerBound...])
            for (isDisabled, status) in [(true, 403), (false, 200)] {
                try await server.asOperator { _ = try await $0.setDisabled(isDisabled, "a@example.org") }
                #expect(try await server.send(.GET, path).status == status)
            }
        }
    }

    @Test func whatNothingNamesGoesAfterADay() async throws {
        try await RunningServer.run { server async throws in
            let scene = try await Scene(server)
            let answer: Scene.Answer = try await scene.save(1, [SampleFile.png, Self.picture]).decoded()
            let addresses = try #require(answer.bookmarks.first?.image_urls)
            var device = DeltaDevice(server: server, token: scene.token, name: "one")
            let place = #"{"id":"\#(DeltaDevice.id(1))","title":"A","sync_version":2,"base_version":1,"image_urls":"#
            _ = try await device.sync(#""bookmarks":[\#(place)["\#(addresses[0])"]}],"#)
            try await scene.sweep(after: 86_399)
            #expect(scene.stored().count == 2)
            try await scene.sweep(after: 86_401)
            #expect(scene.stored().count == 1)
            #expect(try await scene.load(addresses[0]).status == 200)
            #expect(try await scene.load(addresses[1]).status == 404)
            _ = try await device.sync(DeltaDevice.deletion("bookmarks", 1, base: 2))
            try await scene.sweep(after: 86_401)
            #expect(scene.stored() == [])
        }
    }

    @Test func filesOfWhatLostAreKept() async throws {
        try await RunningServer.run { server async throws in
            let scene = try await Scene(server)
            let answer: Scene.Answer = try await scene.save(1, [SampleFile.png]).decoded()
            let address = try #require(answer.bookmarks.first?.image_urls.first)
            var device = DeltaDevice(server: server, token: scene.token, name: "one")
            // The app's version is not the one that the device knows: it is kept, with its picture.
            let told = try await device.sync(DeltaDevice.deletion("bookmarks", 1, base: 0))
            let lost = try #require(told.updated_lost?.first)
            // A device with a name gets addresses that stay.
            #expect(lost.item.image_urls == [String(address.prefix { $0 != "?" })])
            try await scene.sweep(after: 86_401)
            #expect(try await scene.load(address).status == 200)
            _ = try await device.sync(#""deleted_ids":{"lost":["\#(lost.id)"]},"#)
            try await scene.sweep(after: 86_401)
            #expect(scene.stored() == [])
        }
    }

    @Test func filesGoWithTheAccount() async throws {
        try await RunningServer.run { server async throws in
            let scene = try await Scene(server)
            _ = try await scene.save(1, [SampleFile.png, Self.picture])
            let export = try await server.send(.GET, "/auth/me/export", token: scene.token)
            #expect(export.text.contains("image/png") && export.text.contains("/api/v1/files/"))
            #expect(scene.stored().count == 2)
            #expect(try await server.send(.DELETE, "/auth/me", token: scene.token).status == 204)
            #expect(scene.stored() == [])
            let rows = try await server.rowCounts(["notebook_files", "notebook_uses"])
            #expect(rows == ["notebook_files": 0, "notebook_uses": 0])
        }
    }
}

extension RunningServer {
    /// Asks again while the server works, each time after it has answered something else.
    /// - Returns: whether it was so in the end.
    func repeats(_ condition: () async throws -> Bool) async throws -> Bool {
        // The bound is a time: a quick machine asks thousands of questions between two looks of the server.
        let end = ContinuousClock.now + .seconds(60)
        while ContinuousClock.now < end {
            if try await condition() { return true }
            _ = try await send(.GET, "/healthz")
        }
        return false
    }
}
