import TourModel

/// Server-sent events that arrive in pieces. Source: `Protocol/09-mailbox.md`, "GET /groups/{id}/live".
struct LiveLines {
    /// More than the heads of a thousand members need.
    private static let lineBytesMax = 256 * 1024

    private struct Told: Decodable {
        var heads: Heads
    }

    private var line: [UInt8] = []

    /// - Returns: the heads of each event that these bytes complete; unreadable ones are left out.
    mutating func receive(_ bytes: [UInt8]) -> [Heads] {
        var told = [Heads]()
        for byte in bytes {
            guard byte == UInt8(ascii: "\n") else {
                if line.count < Self.lineBytesMax { line.append(byte) }
                continue
            }
            let field = Array("data:".utf8)
            if line.starts(with: field),
                let event = try? APIClient.decode(Told.self, Array(line.dropFirst(field.count)))
            {
                told.append(event.heads)
            }
            line = []
        }
        return told
    }
}
