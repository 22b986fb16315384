import Foundation
import NIOHTTP1
import ServerRequests
import Testing
import TourServer

/// Goal: strangers who make account after account fill neither the disk nor the room of those who are known.
/// Method: a whole server with little room, and many guests from one address.
struct RoomTests {
    private static let mebibyte = 1 << 20

    private static func run(_ body: @escaping @Sendable (RunningServer) async throws -> Void) async throws {
        try await RunningServer.run(
            change: {
                $0.rules.rooms.account = Int64(2 * mebibyte)
                $0.rules.rooms.guest = Int64(mebibyte)
                $0.rules.rooms.notebooks = Int64(7 * mebibyte)
            }, body)
    }

    /// Sends a place with a file.
    private static func store(
        _ bytes: Int, in place: Int, _ token: String, on server: RunningServer
    ) async throws -> Reply {
        var form = SampleForm()
        form.add("payload", Data(#"{"bookmarks":[\#(DeltaDevice.place(place, "A", version: 1))]}"#.utf8))
        form.add("file", fileName: "a.bin", type: "application/octet-stream", Data(repeating: 7, count: bytes))
        return try await server.send(
            .POST, "/api/v1/bookmarks/upsert", token: token, bytes: form.bytes, headers: [SampleForm.type])
    }

    private static func guest(of server: RunningServer) async throws -> String {
        try await server.send(.POST, "/auth/anonymous").decoded(Tokens.self).access_token
    }

    private static func bytesOnDisk(of server: RunningServer) throws -> Int {
        let folder = server.directory + "/files"
        let files = FileManager.default.enumerator(atPath: folder)?.compactMap { $0 as? String } ?? []
        return try files.reduce(0) { sum, name in
            let attributes = try FileManager.default.attributesOfItem(atPath: folder + "/" + name)
            let isFile = attributes[.type] as? FileAttributeType == .typeRegular
            return sum + (isFile ? (attributes[.size] as? Int ?? 0) : 0)
        }
    }

    /// Sixty guests come at once from one address: three fill the strangers' half, and 57 get no room.
    @Test func strangersLeaveHalfToThoseWhoAreKnown() async throws {
        try await Self.run { server async throws in
            var guests = [String]()
            for _ in 0..<60 { guests.append(try await Self.guest(of: server)) }
            var statuses = [Int]()
            for guest in guests {
                statuses.append(try await Self.store(Self.mebibyte, in: 1, guest, on: server).status)
            }
            #expect(statuses == Array(repeating: 200, count: 3) + Array(repeating: 507, count: 57))
            #expect(try Self.bytesOnDisk(of: server) == 3 * Self.mebibyte)
            let body = #"{"phone":"+905551112233","code":"\#(try await server.code(for: "+905551112233"))"}"#
            let known: Tokens = try await server.send(.POST, "/auth/sms/verify", body).decoded()
            #expect(try await Self.store(2 * Self.mebibyte, in: 1, known.access_token, on: server).status == 200)
            // A deleted file makes room.
            #expect(try await server.send(.DELETE, "/auth/me", token: known.access_token).status == 204)
            #expect(try await server.send(.DELETE, "/auth/me", token: guests[0]).status == 204)
            #expect(try await Self.store(Self.mebibyte, in: 1, guests[59], on: server).status == 200)
        }
    }

    @Test(
        arguments: [
            (90, nil), (91, "notebooks take more than nine tenths of --notebooks-room"),
            (100, "notebooks take more than nine tenths of --notebooks-room"),
            (101, "notebooks take more than --notebooks-room"),
        ] as [(Int64, String?)])
    func theOperatorHearsOfLittleRoom(stored: Int64, told: String?) {
        var rooms = AccountRooms()
        rooms.notebooks = 100
        let (room, messages) = (NotebooksRoom(rooms), SentMessages())
        room.set(stored: stored)
        room.tell(messages.logger)
        #expect(messages.all.count == (told == nil ? 0 : 1))
        if let told { #expect(messages.all.first?.hasPrefix(told) == true) }
    }

    /// A guest has a guest's room to its last byte, and an account's once it is somebody.
    @Test func aProvenContactGetsTheWholeRoom() async throws {
        try await Self.run { server async throws in
            let guest = try await Self.guest(of: server)
            #expect(try await Self.store(Self.mebibyte + 1, in: 1, guest, on: server).code == "quota")
            #expect(try await Self.store(Self.mebibyte, in: 1, guest, on: server).status == 200)
            #expect(try await Self.store(1, in: 2, guest, on: server).code == "quota")
            let signup = #"{"email":"a@example.org","password":"correct horse"}"#
            #expect(try await server.send(.POST, "/auth/signup", token: guest, signup).status == 201)
            #expect(try await Self.store(1, in: 2, guest, on: server).code == "quota", "anybody types an address")
            try await server.prove("a@example.org", token: guest)
            #expect(try await Self.store(Self.mebibyte, in: 2, guest, on: server).status == 200)
            #expect(try await Self.store(1, in: 3, guest, on: server).code == "quota")
        }
    }
}
