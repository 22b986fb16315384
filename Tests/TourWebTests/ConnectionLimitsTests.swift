import Foundation
import Testing
import TourNode
import TourWeb

/// Goal: strangers who hold the page's port, and pages that are many, keep nobody out who has the token.
/// Method: a real node, and more connections than it has places for.
@Suite struct ConnectionLimitsTests {
    private static func head(_ path: String, _ door: PageAccess, isKnown: Bool = true) -> [UInt8] {
        let token = isKnown ? "Authorization: Bearer \(door.token)\r\n" : ""
        return Array("GET \(path) HTTP/1.1\r\nHost: \(door.host)\r\n\(token)\r\n".utf8)
    }

    @Test func aFullDoorTakesWhoAsks() async throws {
        let node = try PageNode()
        try await node.run { door in
            var silent = [PageConnection]()
            for _ in 0..<3 * DoorLimits.strangersMax { silent.append(try await PageConnection.open(port: door.port)) }
            let answer = try await door.ask("GET", "/tours")
            #expect(answer.status == 200)
            #expect(try await door.raw("GET", "/").status == 200)
            // Those that came first had to go.
            #expect(try await silent[0].next().isEmpty)
            for connection in silent { connection.close() }
        }
    }

    @Test func whoDripsGoes() async throws {
        let node = try PageNode()
        try await node.run { door in
            let connection = try await PageConnection.open(port: door.port)
            let dripping = Task {
                for byte in Self.head("/", door, isKnown: false) {
                    try await connection.send([byte])
                    try await Task.sleep(for: .milliseconds(500))
                }
            }
            #expect(try await connection.next().isEmpty)
            dripping.cancel()
            _ = await dripping.result
        }
    }

    @Test func streamsAreNotSentAway() async throws {
        let node = try PageNode()
        try await node.run { door in
            var streams = [PageConnection]()
            for _ in 0..<DoorLimits.knownMax {
                let stream = try await PageConnection.open(port: door.port)
                try await stream.send(Self.head("/v1/tours/-/events", door))
                #expect(try await String(decoding: stream.next(), as: UTF8.self).hasPrefix("HTTP/1.1 200"))
                streams.append(stream)
            }
            let refused = try await door.ask("GET", "/tours")
            #expect(refused.status == 503 && refused.code == "busy")
            #expect(refused.headers["cache-control"] == "no-store" && refused.headers["x-content-type-options"] != nil)
            // The files of the page are for strangers, who have places of their own.
            #expect(try await door.raw("GET", "/").status == 200)
            streams.removeLast().close()
            while try await door.ask("GET", "/tours").status == 503 { await Task.yield() }
            for stream in streams { stream.close() }
        }
    }
}
