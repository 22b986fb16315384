import Foundation
import Glibc
import Testing
import TourJSON
import TourNode
import TourWeb

/// Goal: an open page goes on after a restart, and whoever took its port meanwhile learns nothing that is worth
/// anything.
/// Method: nodes that start anew on one directory, and a stranger on their port.
@Suite struct PageAddressTests {
    @Test func portAndTokenStay() async throws {
        let node = try PageNode()
        var doors = [PageAccess]()
        for _ in 0..<2 {
            try await node.run { door in
                let answer = try await door.ask("GET", "/tours")
                #expect(answer.status == 200)
                doors.append(door)
            }
        }
        #expect(Set(doors).count == 1)
        var status = stat()
        #expect(stat(node.path("data/page.json"), &status) == 0 && status.st_mode & 0o777 == 0o600)
        let port = try #require(doors.first?.port)
        let token = try #require(doors.first?.token)
        let kept = try JSON(parsing: Data(contentsOf: URL(fileURLWithPath: node.path("data/page.json"))))
        #expect(kept["port"]?.integer == Int(port) && kept["token"]?.text == token)
    }

    @Test func aTakenPortIsLeftAndTheTokenIsNewThen() async throws {
        let node = try PageNode()
        var doors = [PageAccess]()
        try await node.run { doors.append($0) }
        let before = try #require(doors.first)
        let stranger = try Listener(port: before.port)
        try await node.run { doors.append($0) }
        let after = try #require(doors.last)
        #expect(after.port != before.port && after.token != before.token)
        withExtendedLifetime(stranger) {}
    }

    @Test func aRefusedPortTakesItsTokenAlong() async throws {
        let node = try PageNode()
        var doors = [PageAccess]()
        try await node.run { doors.append($0) }
        let before = try #require(doors.first)
        let stranger = try Listener(port: before.port)
        await #expect(throws: WebError.self) { try await node.run(.port(before.port)) { _ in } }
        stranger.close()
        try await node.run { door in
            #expect(door.port == before.port && door.token != before.token)
        }
    }

    @Test func aPortThatWasAskedForIsTakenOrRefused() async throws {
        let node = try PageNode()
        let stranger = try Listener(port: 0)
        let port = stranger.port
        let refusal = await #expect(throws: WebError.self) { try await node.run(.port(port)) { _ in } }
        #expect(refusal?.code == "page-port")
        stranger.close()
        try await node.run(.port(port)) { door in #expect(door.port == port) }
    }

    @Test func aBrokenFileIsReplaced() async throws {
        let node = try PageNode()
        var doors = [PageAccess]()
        try await node.run { doors.append($0) }
        for content in ["", "{", "{\"port\":1}", "{\"port\":80,\"token\":\"short\"}", "{\"port\":70000,\"token\":1}"] {
            try Data(content.utf8).write(to: URL(fileURLWithPath: node.path("data/page.json")))
            try await node.run { doors.append($0) }
        }
        #expect(Set(doors.map(\.token)).count == 6)
    }

    @Test func withoutAPageThereIsNoPort() async throws {
        let node = try OfflineNode()
        try await node.run {
            let report = try await node.ask("GET", "/page")
            #expect(report.status == 200 && report.body["address"] == .null)
        }
        #expect(!FileManager.default.fileExists(atPath: node.path("data/page.json")))
    }

    @Test func aWipeTakesItAlong() async throws {
        let node = try PageNode()
        try await node.run { door in
            let body = Array(repeating: UInt8(ascii: "x"), count: 100)
            let headers = ["Authorization": "Bearer \(door.token)"]
            let upload = try await door.raw("POST", "/v1/uploads?name=a.txt", headers, body)
            #expect(upload.status == 200)
            #expect(node.uploads.count == 1)
            #expect(try await node.ask("POST", "/wipe").status == 200)
            #expect(!FileManager.default.fileExists(atPath: node.path("data/page.json")))
            #expect(node.uploads.isEmpty)
        }
    }
}

/// Somebody else who listens on this machine.
private final class Listener {
    let port: UInt16
    private var descriptor: Int32

    init(port: UInt16) throws {
        let plug = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var isReused: Int32 = 1
        setsockopt(plug, SOL_SOCKET, SO_REUSEADDR, &isReused, socklen_t(MemoryLayout<Int32>.size))
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let isBound = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(plug, $0, length) == 0 && listen(plug, 1) == 0 && getsockname(plug, $0, &length) == 0
            }
        }
        try #require(isBound)
        descriptor = plug
        self.port = UInt16(bigEndian: address.sin_port)
    }

    deinit { close() }

    func close() {
        if descriptor >= 0 { Glibc.close(descriptor) }
        descriptor = -1
    }
}
