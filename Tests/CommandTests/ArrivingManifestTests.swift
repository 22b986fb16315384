import Testing
import TourClient

/// Goal: whoever exports an account learns which files the server has lost. Method: archives in pieces of several
/// lengths.
struct ArrivingManifestTests {
    private static func file(_ name: String, _ text: String, kind: String = "0") -> [UInt8] {
        var head = Array(name.utf8) + [UInt8](repeating: 0, count: 124 - name.utf8.count)
        let size = String(text.utf8.count, radix: 8)
        head += Array(String(repeating: "0", count: 11 - size.utf8.count).utf8) + Array(size.utf8) + [0]
        head += [UInt8](repeating: 0, count: 20) + Array(kind.utf8)
        head += [UInt8](repeating: 0, count: 512 - head.count)
        return head + Array(text.utf8) + [UInt8](repeating: 0, count: (512 - text.utf8.count % 512) % 512)
    }

    private static func missing(_ bytes: [UInt8], inPiecesOf count: Int) -> [String]? {
        var manifest = ArrivingManifest()
        var rest = bytes[...]
        while !rest.isEmpty {
            manifest.add(Array(rest.prefix(count)))
            rest = rest.dropFirst(count)
        }
        return manifest.missing
    }

    @Test(arguments: [1, 7, 512, 513, 100_000])
    func theLastFileSaysWhatIsMissing(count: Int) {
        let before =
            Self.file("README.txt", String(repeating: "a", count: 512)) + Self.file("x", "30 path=ü\n", kind: "x")
            + Self.file("files/1/a.jpg", String(repeating: "b", count: 1_000)) + Self.file("empty", "")
        let lost = #"{"format":"tour-server-export","missing":["files/2/b.jpg"],"version":1}"#
        let end = [UInt8](repeating: 0, count: 1_024)
        let whole = before + Self.file("manifest.json", lost) + end
        #expect(Self.missing(whole, inPiecesOf: count) == ["files/2/b.jpg"])
        #expect(Self.missing(before + Self.file("manifest.json", #"{"missing":[]}"#) + end, inPiecesOf: count) == [])
        #expect(Self.missing(before + end, inPiecesOf: count) == nil)
        #expect(Self.missing(before + Self.file("manifest.json", "{}") + end, inPiecesOf: count) == nil)
        let cut = before.count + 512 + 10
        #expect(Self.missing(Array(whole[..<cut]), inPiecesOf: count) == nil, "cut off")
        let wrong = [UInt8](repeating: UInt8(ascii: "z"), count: 512)
        #expect(Self.missing(wrong + whole, inPiecesOf: count) == nil, "no archive")
    }
}
