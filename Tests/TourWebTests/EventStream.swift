import Testing
import TourJSON
import TourWeb

/// A page that follows a tour: the events of one stream, in order.
struct EventStream {
    struct Event {
        let name: String
        let data: JSON
    }

    let connection: PageConnection
    private var rest: [UInt8] = []
    /// What came in chunks and is not taken yet.
    private var frames: [UInt8] = []
    private(set) var signs = 0

    /// Reads the answer's head.
    init(_ door: PageAccess, _ path: String) async throws {
        connection = try await PageConnection.open(port: door.port)
        try await connection.send(
            "GET /v1\(path) HTTP/1.1\r\n", ["Host": door.host, "Authorization": "Bearer \(door.token)"])
        let head = try await block(endingWith: "\r\n\r\n")
        try #require(head.hasPrefix("HTTP/1.1 200"))
        #expect(head.lowercased().contains("content-type: text/event-stream"))
        #expect(head.lowercased().contains("transfer-encoding: chunked"))
    }

    /// The next event that says something.
    mutating func next() async throws -> Event {
        while true {
            let frame = try await frame()
            if frame == ":\n\n" {
                signs += 1
                continue
            }
            let parts = try #require(frame.wholeMatch(of: /event: ([a-z]+)\ndata: ([^\n]+)\n\n/), "\(frame)")
            return Event(name: String(parts.1), data: try JSON(parsing: parts.2.utf8))
        }
    }

    /// Up to the next empty line, over however many chunks.
    private mutating func frame() async throws -> String {
        let end = UInt8(ascii: "\n")
        while true {
            if let last = frames.indices.dropFirst().first(where: { frames[$0 - 1] == end && frames[$0] == end }) {
                defer { frames.removeFirst(last + 1) }
                return String(decoding: frames[...last], as: UTF8.self)
            }
            let size = try await block(endingWith: "\r\n")
            // CR LF is one character.
            let count = try #require(Int(size.dropLast(), radix: 16))
            while rest.count < count + 2 { try await fill() }
            frames += rest[..<count]
            rest.removeFirst(count + 2)
        }
    }

    /// The next event of that name; others are passed over.
    mutating func next(_ name: String) async throws -> JSON {
        while true {
            let event = try await next()
            if event.name == name { return event.data }
        }
    }

    private mutating func block(endingWith end: String) async throws -> String {
        let end = Array(end.utf8)
        var searched = 0
        while true {
            while searched + end.count <= rest.count {
                if Array(rest[searched..<searched + end.count]) == end {
                    let text = String(decoding: rest[..<(searched + end.count)], as: UTF8.self)
                    rest.removeFirst(searched + end.count)
                    return text
                }
                searched += 1
            }
            try await fill()
        }
    }

    private mutating func fill() async throws {
        let bytes = try await connection.next()
        guard !bytes.isEmpty else { throw PageConnection.Closed() }
        rest += bytes
    }
}
