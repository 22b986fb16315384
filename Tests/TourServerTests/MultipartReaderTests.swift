import Foundation
import ServerBase
import ServerRequests
import Testing
import TourModel

/// Goal: a form is read alike however it is cut into pieces, and nothing that is none is taken for one.
/// Method: forms at every cut, and forms that are broken.
struct MultipartReaderTests {
    private static let type = "Multipart/Form-Data; charset=x; boundary=\"B x\""

    private static let form = [
        "what stands before", "--B x", #"Content-Disposition: form-data; name="payload""#, "", #"{"a":1}"#,
        "--B x \t", #"Content-Disposition: form-data; name="images[]"; filename="a\"b;c.jpg""#,
        "Content-Type: image/jpeg", "", "", "--", "-", "--B", "--B y", "", "--B x",
        "content-disposition: form-data ; filename=x.pdf ; name=file", "X-Other: 1", "", "", "--B x--", "and behind",
    ].joined(separator: "\r\n")

    /// What it says, with neighbouring bytes joined.
    private static func events(_ text: String, pieces: [Int]) throws -> [MultipartReader.Event] {
        var reader = try MultipartReader(contentType: type)
        var rest = Array(text.utf8)[...]
        var events = [MultipartReader.Event]()
        var turn = 0
        while !rest.isEmpty {
            let piece = rest.prefix(pieces[turn % pieces.count])
            turn += 1
            for event in try reader.read(Array(piece)) {
                if case .bytes(let more) = event, case .bytes(let bytes)? = events.last {
                    events[events.count - 1] = .bytes(bytes + more)
                } else {
                    events.append(event)
                }
            }
            rest = rest.dropFirst(piece.count)
        }
        guard reader.isAtEnd else { throw Failure(.badRequest) }
        return events
    }

    @Test func formIsReadAlikeHoweverItIsCut() throws {
        let whole = try Self.events(Self.form, pieces: [.max])
        #expect(
            whole == [
                .begin(.init(name: "payload", fileName: nil, media: nil)), .bytes(Array(#"{"a":1}"#.utf8)), .end,
                .begin(.init(name: "images[]", fileName: "a\"b;c.jpg", media: "image/jpeg")),
                .bytes(Array("\r\n--\r\n-\r\n--B\r\n--B y\r\n".utf8)), .end,
                .begin(.init(name: "file", fileName: "x.pdf", media: nil)), .end,
            ])
        for first in 1...60 {
            for second in [1, 2, 3, 5, 20, 200] {
                #expect(try Self.events(Self.form, pieces: [first, second]) == whole, "\(first) \(second)")
            }
        }
    }

    @Test func everyCutOffFormIsIncomplete() throws {
        let bytes = Array(Self.form.utf8)
        let end = try #require(Self.form.range(of: "--B x--")).upperBound
        let length = Self.form[..<end].utf8.count
        for count in 0..<length {
            #expect(throws: Failure.self) {
                try Self.events(String(decoding: bytes[..<count], as: UTF8.self), pieces: [.max])
            }
        }
        #expect(try Self.events(String(decoding: bytes[..<length], as: UTF8.self), pieces: [1]).count == 8)
    }

    @Test(arguments: [
        "--B x\r\n\r\nno head\r\n--B x--", "--B xy\r\nContent-Disposition: form-data; name=a\r\n\r\n\r\n--B x--",
        "--B x\r\nContent-Disposition: form-data\r\n\r\n\r\n--B x--",
        "--B x\r\nContent-Disposition: attachment; name=a\r\n\r\n\r\n--B x--",
        "--B x\r\nContent-Disposition\r\n\r\n\r\n--B x--",
    ])
    func brokenFormIsRefused(form: String) {
        #expect(throws: Failure.self) { try Self.events(form, pieces: [.max]) }
        #expect(throws: Failure.self) { try Self.events(form, pieces: [1]) }
    }

    @Test func headAndPaddingWithoutEndAreRefused() throws {
        var reader = try MultipartReader(contentType: Self.type)
        _ = try reader.read(Array("--B x\r\n".utf8))
        #expect(throws: Failure.self) {
            for _ in 0..<10 { _ = try reader.read([UInt8](repeating: UInt8(ascii: "a"), count: 1_000)) }
        }
        var padded = try MultipartReader(contentType: Self.type)
        _ = try padded.read(Array("--B x".utf8))
        #expect(throws: Failure.self) { _ = try padded.read([UInt8](repeating: 0x20, count: 200)) }
    }

    @Test func typesWithoutABoundaryAreRefused() {
        let long = String(repeating: "b", count: 71)
        for type in [
            nil, "", "multipart/mixed; boundary=b", "multipart/form-data", "multipart/form-data; boundary=",
            "multipart/form-data; boundary=\(long)", "multipart/form-data; boundary=\"b \"",
            "multipart/form-data; boundary=ğ",
        ] {
            #expect(throws: Failure.self, "\(type ?? "")") { _ = try MultipartReader(contentType: type) }
        }
    }

    /// Whatever the bytes are, they are read or refused.
    @Test func noiseIsReadOrRefused() throws {
        var rng = SplitMix64(seed: 5)
        let pieces = ["--B x", "\r\n", "\r", "\n", "--", "Content-Disposition: form-data; name=a", ":", "\0", "B", " "]
        for _ in 0..<2_000 {
            var reader = try MultipartReader(contentType: Self.type)
            do throws(Failure) {
                for _ in 0..<Int.random(in: 1...30, using: &rng) {
                    _ = try reader.read(Array((pieces.randomElement(using: &rng) ?? "").utf8))
                }
            } catch {
                #expect(error.code == .badRequest)
            }
        }
    }
}
