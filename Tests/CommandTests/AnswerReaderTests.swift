import Testing
import TourClient

/// Goal: an answer is read the same however its bytes arrive, and what is no answer is refused within bounded memory.
/// Method: whole answers cut at every place, and tables of bad ones.
@Suite struct AnswerReaderTests {
    private typealias Part = AnswerReader.Part

    /// What the pieces give, bodies joined, and nil where they are refused.
    private static func read(_ pieces: [ArraySlice<UInt8>], isClosed: Bool = false) -> [Part]? {
        var reader = AnswerReader()
        var parts: [Part] = []
        var body: [UInt8] = []
        do {
            var found = try pieces.flatMap { try reader.add(Array($0)) }
            if isClosed { found += try reader.close() }
            for part in found {
                if case .body(let piece) = part { body += piece } else { parts.append(part) }
            }
        } catch {
            return nil
        }
        return parts + (body.isEmpty ? [] : [.body(body)])
    }

    private static func read(_ text: String, isClosed: Bool = false) -> [Part]? {
        read([Array(text.utf8)[...]], isClosed: isClosed)
    }

    @Test(arguments: [
        "HTTP/1.1 200 OK\r\nContent-Length: 5\r\nServer: x\r\n\r\nhello",
        "HTTP/1.1 200 OK\r\ntransfer-encoding:  Chunked\r\n\r\n2\r\nhe\r\n3;a=b\r\nllo\r\n0\r\nTrailer: x\r\n\r\n",
        "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello",
        "HTTP/1.0 200\nContent-Length: 5\n\nhello",
    ])
    func whereverItIsCut(text: String) {
        let bytes = Array(text.utf8)
        for cut in 0...bytes.count {
            #expect(
                Self.read([bytes[..<cut], bytes[cut...]]) == [.status(200), .end, .body(Array("hello".utf8))],
                "cut at \(cut)")
        }
        #expect(Self.read(bytes.map { [$0][...] }) == [.status(200), .end, .body(Array("hello".utf8))])
    }

    @Test func bodiesThatAreNone() {
        #expect(Self.read("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n") == [.status(200), .end])
        #expect(Self.read("HTTP/1.1 204 No Content\r\n\r\n") == [.status(204), .end])
        #expect(
            Self.read("HTTP/1.1 404 Not Found\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n") == [.status(404), .end])
    }

    @Test func aBodyWithoutALengthEndsWithTheConnection() {
        let text = "HTTP/1.1 200 OK\r\n\r\nhello"
        #expect(Self.read(text) == [.status(200), .body(Array("hello".utf8))])
        #expect(Self.read(text, isClosed: true) == [.status(200), .end, .body(Array("hello".utf8))])
    }

    @Test(arguments: [
        "", "HTTP/1.1 200 OK\r\n", "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhell",
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n",
    ])
    func anAnswerThatIsCutShortIsNone(text: String) {
        #expect(Self.read(text) != nil)
        #expect(Self.read(text, isClosed: true) == nil)
    }

    @Test(arguments: [
        "SSH-2.0-x\r\n", "HTTP/2 200\r\n", "HTTP/1.1\r\n", "HTTP/1.1 2000 OK\r\n", "HTTP/1.1 2x0 OK\r\n",
        "HTTP/1.1 -10 OK\r\n", "HTTP/1.1 200 OK\r\nno field\r\n", "HTTP/1.1 200 OK\r\nContent-Length: +5\r\n",
        "HTTP/1.1 200 OK\r\nContent-Length: 9999999999999999\r\n", "HTTP/1.1 200 OK\r\nContent-Length:\r\n",
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n\r\n",
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n-1\r\n",
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nhello\r\n",
        "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello again",
    ])
    func whatIsNoAnswer(text: String) {
        #expect(Self.read(text) == nil)
    }

    @Test func aHeadIsBounded() {
        let start = "HTTP/1.1 200 OK\r\n"
        #expect(Self.read(start + String(repeating: "x", count: AnswerReader.lineBytesMax + 1)) == nil)
        #expect(Self.read(start + String(repeating: "a: b\r\n", count: AnswerReader.linesMax)) == nil)
        #expect(Self.read(start + String(repeating: "a: b\r\n", count: AnswerReader.linesMax - 2)) != nil)
    }

    @Test func chunksAreAsManyAsTheyAre() {
        let chunks = String(repeating: "1\r\nx\r\n", count: AnswerReader.linesMax * 3) + "0\r\n\r\n"
        let parts = Self.read("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n" + chunks)
        let body = [UInt8](repeating: UInt8(ascii: "x"), count: AnswerReader.linesMax * 3)
        #expect(parts == [.status(200), .end, .body(body)])
    }
}
