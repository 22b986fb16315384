import Foundation
import NIOCore
import Testing
import TourWeb

/// Goal: lines come out whole and in order, however the bytes arrive, within bounded memory.
/// Method: the same bytes cut at every place; a line longer than the bound.
@Suite struct LineCutterTests {
    @Test(arguments: [
        "one\ntwo\n\nthree", "one\r\ntwo\r\n\r\nthree", "\none\n\n\ntwo\nthree\n", "one\ntwo\nthree\r",
    ])
    func linesAreWhole(text: String) {
        let bytes = Array(text.utf8)
        for cut in 0...bytes.count {
            var cutter = LineCutter()
            var lines = cutter.cut(ByteBuffer(bytes: bytes[..<cut]))
            lines += cutter.cut(ByteBuffer(bytes: bytes[cut...]))
            lines += cutter.rest()
            #expect(Self.texts(lines) == ["one", "two", "three"], "cut at \(cut)")
        }
    }

    @Test func restIsGivenOnce() {
        var cutter = LineCutter()
        #expect(Self.texts(cutter.cut(ByteBuffer(string: "a\nb"))) == ["a"])
        #expect(Self.texts(cutter.rest()) == ["b"])
        #expect(cutter.rest() == [])
    }

    @Test func overlongLineIsCutOff() {
        var cutter = LineCutter()
        let half = ByteBuffer(repeating: UInt8(ascii: "x"), count: LineCutter.lineBytesMax / 2 + 10)
        #expect(cutter.cut(half) == [])
        #expect(cutter.cut(half) == [])
        #expect(cutter.cut(half) == [])
        let lines = cutter.cut(ByteBuffer(string: "end\nnext\n"))
        let counts: [Int] = lines.map { $0.count }
        #expect(counts == [LineCutter.lineBytesMax, 4])
        #expect(Self.texts(Array(lines.suffix(1))) == ["next"])
        #expect(cutter.rest() == [])
    }

    private static func texts(_ lines: [Data]) -> [String] { lines.map { String(decoding: $0, as: UTF8.self) } }
}
