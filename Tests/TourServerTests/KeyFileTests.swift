import Foundation
import Glibc
import NIOHTTP1
import ServerRequests
import ServerStorage
import Testing
import TourCrypto
import TourModel
import TourServer

/// Goal: a file that a process cannot read ends nobody's login where another key will do, and is told; what root's
/// commands make, the server can read.
/// Method: whole servers in whose folder of keys the test puts files; root's part only where root runs the tests.
struct KeyFileTests {
    /// Something else stands where a key should.
    enum Trouble: CaseIterable, Sendable {
        /// Root reads every file, but follows no link and reads no folder either.
        case link, folder, damaged

        func put(at path: String) throws {
            switch self {
            case .link: try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: "/dev/null")
            case .folder: try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
            case .damaged: try Data([1, 2, 3]).write(to: URL(fileURLWithPath: path))
            }
        }
    }

    private static func run(_ body: @escaping @Sendable (RunningServer) async throws -> Void) async throws {
        try await RunningServer.run(
            change: { $0.operatorListener = ServerSettings.Listener(host: "127.0.0.1", port: 0) }, body)
    }

    private static func shows(_ server: RunningServer, unread count: Int) async throws -> Bool {
        try await server.ask("/metrics").text.contains("tour_server_token_keys_unread \(count)\n")
    }

    @Test(arguments: Trouble.allCases)
    func aKeyThatCannotBeReadIsPassedOver(trouble: Trouble) async throws {
        try await Self.run { server async throws in
            let old = try await server.newAccount("a@example.org").access_token
            let kid = "999999999999999-00000000"
            let path = server.directory + "/token-keys/\(kid).key"
            try trouble.put(at: path)
            let new = try await server.logIn("a@example.org").decoded(Tokens.self).access_token
            for token in [old, new] { #expect(try await server.send(.GET, "/auth/me", token: token).status == 200) }
            let set = try await server.send(.GET, "/.well-known/jwks.json")
            #expect(set.status == 200 && !set.text.contains(kid))
            #expect(try await Self.shows(server, unread: 1))
            #expect(server.messages.all.filter { $0.contains("passed over") && $0.contains(kid) }.count == 1)
            #expect(try await server.send(.GET, "/readyz").status == 200)
            try FileManager.default.removeItem(atPath: path)
            #expect(try await Self.shows(server, unread: 0))
        }
    }

    /// A token of that key may be a good one, and must log nobody out.
    @Test(arguments: Trouble.allCases)
    func withoutAKeyTheServerIsNotReady(trouble: Trouble) async throws {
        let (kid, seed) = ("001780272000000-0badc0de", [UInt8](repeating: 9, count: SigningKeyPair.seedBytes))
        try await RunningServer.run(
            change: { settings in
                let folder = settings.dataDirectory + "/token-keys"
                try? FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
                try? trouble.put(at: "\(folder)/\(kid).key")
            },
            { server async throws in
                let token = Self.token(of: kid, seed)
                let refused = try await server.send(.GET, "/groups", token: token)
                #expect(refused.status == 503 && refused.code == "unavailable" && !refused.text.contains(kid))
                _ = try await server.send(
                    .POST, "/auth/signup", #"{"email":"a@example.org","password":"correct horse"}"#)
                #expect(try await server.logIn("a@example.org").status == 503)
                #expect(try await server.repeats { try await server.send(.GET, "/readyz").status == 503 })
                #expect(try await server.send(.GET, "/readyz").field == "tokens")
                let path = "\(server.directory)/token-keys/\(kid).key"
                try FileManager.default.removeItem(atPath: path)
                try Data(seed).write(to: URL(fileURLWithPath: path))
                #expect(try await server.send(.GET, "/groups", token: token).status == 200)
                #expect(try await server.logIn("a@example.org").status == 200)
                #expect(try await server.repeats { try await server.send(.GET, "/readyz").status == 200 })
            })
    }

    @Test func aNewKeyCountsAtOnceInEveryProcess() async throws {
        try await RunningServer.run { one async throws in
            try await RunningServer.run(
                change: {
                    $0.dataDirectory = one.directory
                    if !TestDatabase.isPostgres { $0.database = one.directory + "/other.sqlite" }
                },
                { two async throws in
                    for turn in 1...8 {
                        let rotating = turn.isMultiple(of: 2) ? one : two
                        let door = try OpenedServer(settings: .data(in: one.directory))
                        let kid = try await door.rotateKeys(now: rotating.clock.now + Int64(turn) * 1_000_000)
                        try await door.storage.close()
                        let path = "\(one.directory)/token-keys/\(kid).key"
                        let token = Self.token(of: kid, Array(try Data(contentsOf: URL(fileURLWithPath: path))))
                        for server in [one, two] {
                            #expect(try await server.send(.GET, "/groups", token: token).status == 200)
                            #expect(try await server.send(.GET, "/.well-known/jwks.json").text.contains(kid))
                        }
                    }
                })
        }
    }

    /// A member's, of a tour that the server does not know.
    private static func token(of kid: String, _ seed: [UInt8]) -> String {
        let subject = "member:" + String(repeating: "0", count: 64) + ":" + String(repeating: "1", count: 64)
        let header = #"{"alg":"EdDSA","typ":"JWT","kid":"\#(kid)"}"#
        let claims = #"{"sub":"\#(subject)","sid":"","iat":1780272000,"exp":1780272900}"#
        let words = Base64URL.text(of: header.utf8) + "." + Base64URL.text(of: claims.utf8)
        return words + "." + Base64URL.text(of: SigningKeyPair(seed: SecretBytes(seed)).sign(words.utf8))
    }

    @Test(.enabled(if: geteuid() == 0, "only root makes files for others"))
    func whatRootMakesBelongsToTheDirectorysOwner() async throws {
        let directory = RunningServer.temporaryDirectory()
        defer { try? FileManager.default.removeItem(atPath: directory) }
        let (owner, group): (uid_t, gid_t) = (65_534, 65_533)
        try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: false)
        try #require(chown(directory, owner, group) == 0)
        let door = try OpenedServer(settings: .data(in: directory))
        _ = try await door.storage.migrate()
        for turn in 1...2 { _ = try await door.rotateKeys(now: Int64(turn) * 1_000_000) }
        _ = try ServerSecret(directory: door.directory)
        let home = RunningServer.temporaryDirectory(), copy = home + "/copy"
        try FileManager.default.createDirectory(atPath: home, withIntermediateDirectories: false)
        defer { try? FileManager.default.removeItem(atPath: home) }
        _ = try await ServerBackup.make(of: .data(in: directory), to: copy)
        try await door.storage.close()
        let places = try FileManager.default.subpathsOfDirectory(atPath: directory)
        #expect(Set(places).isSuperset(of: ["server.key", "token-keys", "keys.lock", "last-backup"]))
        for place in places {
            let found = try FileManager.default.attributesOfItem(atPath: directory + "/" + place)
            #expect(found[.ownerAccountID] as? UInt32 == owner, "\(place)")
            #expect(found[.groupOwnerAccountID] as? UInt32 == group, "\(place)")
        }
        // A backup has secrets, and goes to whoever makes it.
        #expect(try FileManager.default.attributesOfItem(atPath: copy)[.ownerAccountID] as? UInt32 == 0)
    }
}
