import Foundation
import NIOHTTP1
import ServerAccounts
import ServerBase
import ServerRequests
import Testing
import TourCrypto
import TourModel
import TourServer

/// Goal: the owner of an account, and the operator for them, gets all that the server has of it and can read, whole or
/// seen to be cut off; nobody else does, and no secret is in it. Method: a whole server over HTTP; the archive is read
/// by a reader of the test's own, and by the system's tar.
struct ExportTests {
    private static let email = "a@example.org"
    private static let proof = #"{"current_password":"correct horse"}"#

    private struct Manifest: Decodable {
        struct Document: Decodable {
            var name: String
            var bytes: Int
            var blake2b: String
        }
        var format: String
        var version: Int
        var account: Int64
        var documents: [Document]
        var files: Int
        var file_bytes: Int
        var missing: [String]
    }

    private struct File: Decodable {
        var id: String
        var name: String
        var media: String
        var bytes: Int
        var blake2b: String
        var path: String
    }

    private static func export(_ token: String, _ server: RunningServer) async throws -> TarReader {
        let reply = try await server.send(.POST, "/auth/me/export", token: token, proof)
        #expect(reply.status == 200 && reply.headers.first(name: "Content-Type") == "application/x-tar")
        return try TarReader(reply.body)
    }

    private static func manifest(_ archive: TarReader) throws -> Manifest {
        let last = try #require(archive.entries.last)
        #expect(last.name == "manifest.json")
        return try JSONDecoder().decode(Manifest.self, from: last.content)
    }

    /// Saves one place with these pictures, all of one name.
    private static func save(_ pictures: [Data], named name: String, token: String, _ server: RunningServer)
        async throws
    {
        var form = SampleForm()
        form.add("payload", Data(#"{"bookmarks":[\#(DeltaDevice.place(1, "Galata 1", version: 2))]}"#.utf8))
        for picture in pictures { form.add("images[]", fileName: name, type: "image/jpeg", picture) }
        let saved = try await server.send(
            .POST, "/api/v1/bookmarks/upsert", token: token, bytes: form.bytes, headers: [SampleForm.type])
        #expect(saved.status == 200, "\(saved.text)")
    }

    @Test func everythingIsInItOnce() async throws {
        try await RunningServer.run { server async throws in
            let tokens = try await server.newAccount(Self.email)
            let token = tokens.access_token
            try await server.prove(Self.email, token: token)
            var device = DeltaDevice(server: server, token: token, name: "one")
            let places = (1...150).map { DeltaDevice.place($0, "Galata \($0)", version: 1) }
            _ = try await device.sync(DeltaDevice.bookmarks(places))
            let picture = SampleFile.jpeg(100_000, seed: 1)
            try await Self.save(
                [picture, SampleFile.png], named: "Kulübe \(String(repeating: "x", count: 100)).jpg",
                token: token, server)
            let archive = try await Self.export(token, server)
            let names = archive.entries.map(\.name)
            #expect(names.first == "README.txt" && Set(names).count == names.count)
            #expect(archive.entries.allSatisfy { $0.mode == 0o600 })
            #expect(archive["account.json"]?.text.contains(Self.email) == true)
            #expect(archive["sessions.json"]?.text.contains("last_used_at") == true)
            #expect(archive["notebook/profile.json"]?.text.contains("profile_id") == true)
            // Lists without anything are seen to be empty.
            #expect(archive["notebook/notes-0001.json"]?.text == "[]" && archive["groups.json"]?.text == "[]")
            struct Item: Decodable { var title: String }
            let titles = try archive.entries.filter { $0.name.hasPrefix("notebook/bookmarks-") }.flatMap {
                try JSONDecoder().decode([Item].self, from: $0.content).map(\.title)
            }
            #expect(titles.count == 150 && Set(titles).count == 150)
            let files = try JSONDecoder().decode([File].self, from: try #require(archive["files-0001.json"]).content)
            #expect(Set(files.map { archive[$0.path]?.content }) == [picture, SampleFile.png])
            #expect(files.allSatisfy { $0.name.hasPrefix("Kulübe") && $0.path.hasSuffix("/" + $0.name) })
            #expect(archive["audit-0001.json"]?.text.contains(#""action":"account-exported""#) == true)
            let manifest = try Self.manifest(archive)
            #expect(manifest.format == "tour-server-export" && manifest.version == 1 && manifest.account == 1)
            #expect(manifest.files == 2 && manifest.file_bytes == 100_048 && manifest.missing == [])
            let documents = archive.entries.filter { !$0.name.hasPrefix("files/") }.dropLast()
            #expect(manifest.documents.map(\.name) == documents.map(\.name))
            #expect(manifest.documents.map(\.bytes) == documents.map(\.content.count))
            for (document, entry) in zip(manifest.documents, documents) {
                #expect(document.blake2b == Self.hash(entry.content), "\(entry.name)")
            }
            for file in files { #expect(file.blake2b == Self.hash(try #require(archive[file.path]).content)) }
            let all = archive.entries.filter { !$0.name.hasPrefix("files/") }.map(\.text).joined()
            for secret in ["argon2id", tokens.refresh_token, token, "correct horse"] {
                #expect(!all.contains(secret), "\(secret)")
            }
            #expect(try await server.repeats { server.messages.allMails.contains { $0.contains("exported") } })
        }
    }

    private static func hash(_ content: Data) -> String {
        var next: [UInt8]? = Array(content)
        return
            ContentHash.of {
                defer { next = nil }
                return next
            }.hex
    }

    /// A part of the server that stores data of accounts has a document here, or a folder.
    @Test func noPartOfTheServerIsLeftOut() async throws {
        try await RunningServer.run { server async throws in
            let token = try await server.newAccount(Self.email).access_token
            let names = try await Self.export(token, server).entries.map(\.name)
            let export = try await server.send(.GET, "/auth/me/export", token: token).body
            let parts = try #require(try JSONSerialization.jsonObject(with: export) as? [String: Any]).keys
            for part in parts where part != "exported_at" {
                #expect(names.contains { $0 == part + ".json" || $0.hasPrefix(part + "/") }, "\(part)")
            }
            #expect(parts.count == 9)
        }
    }

    @Test func itTakesTheOwner() async throws {
        try await RunningServer.run { server async throws in
            let token = try await server.newAccount(Self.email).access_token
            try await server.prove(Self.email, token: token)
            func ask(_ body: String) async throws -> Reply {
                try await server.send(.POST, "/auth/me/export", token: token, body)
            }
            #expect(try await ask("{}").field == "current_password")
            #expect(try await ask(#"{"current_password":"wrong horse"}"#).code == "bad-credentials")
            struct Begun: Decodable { var secret: String }
            let begun: Begun = try await server.send(.POST, "/auth/second-factor", token: token, Self.proof).decoded()
            let secret = Base32.bytes(of: Base32.values(of: begun.secret) ?? [])
            func code() throws -> String { try TOTP.code(secret, step: TOTP.step(at: server.clock.now)) }
            _ = try await server.send(
                .POST, "/auth/second-factor/confirm", token: token, #"{"code":"\#(code())"}"#)
            server.clock.advance(seconds: 60)
            #expect(try await ask(Self.proof).code == "second-factor-needed")
            // Whoever has the password without the app uses up none of the owner's exports.
            let guessed = #"{"current_password":"correct horse","second_factor":"000000"}"#
            for _ in 0..<5 { #expect(try await ask(guessed).code == "bad-second-factor") }
            let whole = try #"{"current_password":"correct horse","second_factor":"\#(code())"}"#
            #expect(try await ask(whole).status == 200)
            #expect(try await ask(whole).code == "bad-second-factor", "once")
            let actions = try await server.asOperator { try await $0.audit(limit: 10) }.rows.map(\.action)
            #expect(actions == ["account-exported", "second-factor-on"], "what was refused is not recorded")
        }
    }

    @Test func oneAccountHasFew() async throws {
        try await RunningServer.run { server async throws in
            let token = try await server.newAccount(Self.email).access_token
            for _ in 0..<5 { _ = try await Self.export(token, server) }
            let refused = try await server.send(.POST, "/auth/me/export", token: token, Self.proof)
            #expect(refused.status == 429 && refused.code == "too-many-requests")
            let other = try await server.newAccount("b@example.org").access_token
            _ = try await Self.export(other, server)
        }
    }

    @Test func ofAMemberComeItsPlaceAndItsUploads() async throws {
        try await RunningServer.run { server async throws in
            let token = try await server.newGuide().access_token
            let tour = SampleTour()
            _ = try await server.found(tour, token: token)
            let bytes = Array("sealed".utf8)
            let hash = Self.hash(Data(bytes))
            let sent = try await server.send(
                .PUT, "/blobs/\(hash)?group=\(tour.id.hex)", token: token, bytes: bytes)
            #expect(sent.status < 300, "\(sent.text)")
            let archive = try await Self.export(token, server)
            let place = try #require(archive["tours/\(tour.id.hex)/tour.json"]).text
            #expect(place.contains(#""right":"keeper""#) && place.contains(#""role":"creator""#))
            #expect(place.contains(tour.guide.id.hex) && place.contains(#""hasArchive":false"#))
            let uploads = archive["tours/\(tour.id.hex)/uploads-0001.json"]?.text
            #expect(uploads == #"[{"bytes":6,"hash":"\#(hash)","isWhole":true}]"#)
            #expect(!archive.entries.contains { $0.name.contains("/messages-") }, "the server cannot read them")
        }
    }

    @Test func whatTheServerHasLostIsSaid() async throws {
        try await RunningServer.run { server async throws in
            let token = try await server.newAccount(Self.email).access_token
            try await Self.save([SampleFile.png], named: "a.png", token: token, server)
            let folder = server.directory + "/files"
            let place = try #require(
                FileManager.default.enumerator(atPath: folder)?.compactMap { $0 as? String }
                    .first { $0.contains("/") })
            try FileManager.default.removeItem(atPath: folder + "/" + place)
            let archive = try await Self.export(token, server)
            let manifest = try Self.manifest(archive)
            #expect(manifest.files == 0 && manifest.missing.count == 1)
            #expect(manifest.missing.first?.hasSuffix("/a.png") == true)
            let path = server.directory + "/account.tar"
            let told = try await server.asOperator { try await $0.exportAccount(Self.email, to: path) }
            #expect(told.missing == manifest.missing)
        }
    }

    @Test func theOperatorWritesTheSame() async throws {
        try await RunningServer.run { server async throws in
            let token = try await server.newAccount(Self.email).access_token
            try await Self.save([SampleFile.png], named: "a.png", token: token, server)
            let path = server.directory + "/account.tar"
            let (account, missing) = try await server.asOperator { try await $0.exportAccount(Self.email, to: path) }
            #expect(account.id == 1 && missing == [])
            let written = try TarReader(try Data(contentsOf: URL(fileURLWithPath: path)))
            let status = try FileManager.default.attributesOfItem(atPath: path)
            #expect((status[.posixPermissions] as? Int) == 0o600)
            #expect(!FileManager.default.fileExists(atPath: path + ".part"))
            #expect(written["audit-0001.json"]?.text.contains(#""by":"operator""#) == true)
            #expect(written["audit-0001.json"]?.text.contains("dispatcher") == false)
            let own = try await Self.export(token, server)
            #expect(written.entries.map(\.name) == own.entries.map(\.name))
            await #expect(throws: Failure.self) {
                _ = try await server.asOperator { try await $0.exportAccount(Self.email, to: path) }
            }
            await #expect(throws: Failure.self) {
                _ = try await server.asOperator { try await $0.exportAccount("99", to: path + "2") }
            }
            #expect(!FileManager.default.fileExists(atPath: path + "2.part"))
            let entries = try await server.asOperator { try await $0.audit(limit: 10) }.rows
            #expect(entries.map(\.actor) == ["account:1", "operator:dispatcher"])
        }
    }

    @Test func everyTarReadsIt() async throws {
        let names = ["plain.json", "files/a/Kulübe.jpg", "files/b/" + String(repeating: "y", count: 250), "a b"]
        var archive = [UInt8]()
        for name in names {
            let content = Array(name.utf8)
            archive += TarHeader(name: name, size: Int64(content.count), modified: 1_780_272_000).bytes
            archive += content + TarHeader.padding(Int64(content.count))
        }
        archive += TarHeader.end
        #expect(try TarReader(Data(archive)).entries.map(\.name) == names)
        #expect(try TarReader(Data(archive)).entries.map(\.text) == names)
        let path = RunningServer.temporaryDirectory() + ".tar"
        defer { try? FileManager.default.removeItem(atPath: path) }
        try Data(archive).write(to: URL(fileURLWithPath: path))
        let process = try ChildProcess(
            "/usr/bin/tar", ["--list", "--quoting-style=literal", "--file", path], readsErrors: true)
        var lines = [String]()
        while let line = try? await process.line(where: { _ in true }) { lines.append(line) }
        #expect(try await process.wait() == 0)
        #expect(lines == names)
        // A size of more than eleven octal digits stands in a header of its own.
        let large = TarHeader(name: "a", size: 1 << 40, modified: 0).bytes
        #expect(String(decoding: large, as: UTF8.self).contains("22 size=1099511627776\n"))
    }
}
