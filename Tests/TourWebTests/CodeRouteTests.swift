import Testing
import TourCode
import TourJSON
import TourWeb

/// Goal: a page draws and reads QR codes by its node, and nonsense is refused in its words. Method: a real node without
/// a network behind its socket; what it drew is painted into a frame and given back to it.
@Suite struct CodeRouteTests {
    private static let scale = 4

    private static func refusal(_ answer: LocalRequest) -> [JSON?] {
        [.number(String(answer.status)), answer.body["error"]?["code"]]
    }

    /// The frame of a camera that sees these rows of modules, and nothing else.
    private static func frame(of rows: [String]) -> (side: Int, pixels: [UInt8]) {
        let zone = QRCode.quietZone
        let modules = rows.map { row in row.utf8.map { $0 == UInt8(ascii: "1") } }
        let side = (rows.count + 2 * zone) * scale
        var pixels = [UInt8](repeating: 230, count: side * side)
        for row in zone * scale..<(zone + rows.count) * scale {
            for column in zone * scale..<(zone + rows.count) * scale
            where modules[row / scale - zone][column / scale - zone] {
                pixels[row * side + column] = 20
            }
        }
        return (side, pixels)
    }

    @Test func whatIsDrawnIsRead() async throws {
        let node = try OfflineNode()
        try await node.run {
            let link = "tour-chat://join/ABCD?a=192.168.1.20:4711"
            let drawn = try await node.ask("POST", "/qr", ["text": .text(link)]).body
            let rows = try #require(drawn["rows"]?.list).compactMap(\.text)
            #expect(drawn["size"]?.integer == rows.count && rows.allSatisfy { $0.utf8.count == rows.count })
            #expect(rows.allSatisfy { $0.allSatisfy { "01".contains($0) } })

            let (side, pixels) = Self.frame(of: rows)
            let read = try await node.ask("POST", "/scan?width=\(side)&height=\(side)", bytes: pixels)
            #expect(read.status == 200 && read.body["texts"]?.list?.compactMap(\.text) == [link])
            let empty = try await node.ask(
                "POST", "/scan?width=1920&height=1080", bytes: [UInt8](repeating: 9, count: 1_920 * 1_080))
            #expect(empty.status == 200 && empty.body["texts"]?.list?.isEmpty == true)
        }
    }

    @Test func nonsenseIsRefused() async throws {
        let node = try OfflineNode()
        try await node.run {
            for text in ["", "a\0b", String(repeating: "x", count: 2_332)] {
                #expect(Self.refusal(try await node.ask("POST", "/qr", ["text": .text(text)])) == [400, "qr-code"])
            }
            #expect(Self.refusal(try await node.ask("POST", "/qr", ["text": 1])) == [400, "bad-request"])
            let frame = [UInt8](repeating: 0, count: 100 * 100)
            for size in [
                "width=100&height=99", "width=100&height=101", "width=100", "", "width=x&height=100",
                "width=-100&height=-100", "width=9223372036854775807&height=2", "width=1920&height=1081",
                "width=5&height=2000",
            ] {
                let answer = try await node.ask("POST", "/scan?\(size)", bytes: frame)
                #expect(Self.refusal(answer) == [400, "bad-frame"], "\(size)")
            }
        }
    }
}
