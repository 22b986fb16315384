import Foundation
import Testing
import TourJSON
import TourModel
import TourNode
import TourPresentation
import TourWeb
import TourWords

/// Goal: a guest's request is what the chapter says, or refused with the name of the field that is not.
/// Method: tables of requests, right and wrong.
@Suite struct GuestRequestTests {
    private static let id = String(repeating: "ab", count: 32)
    private static let pass = String(repeating: "0c", count: 16)

    private static func code(_ json: JSON) -> String {
        do {
            _ = try GuestRequest(json, bytes: [])
            return "fine"
        } catch {
            return error.code
        }
    }

    /// The field that a refusal names.
    private static func wrong(_ json: JSON) -> String? {
        do {
            _ = try GuestRequest(json, bytes: [])
            return nil
        } catch {
            let words = error.phrase(on: NoActions()).said(in: .english)
            return words.firstMatch(of: /\((\w+)\)/).map { String($0.1) }
        }
    }

    private static func changed(_ json: JSON, _ name: String, _ value: JSON?) -> JSON {
        guard case .object(let members) = json else { return json }
        let others = members.filter { $0.name != name }
        return .object(others + (value.map { [JSONMember(name: name, value: $0)] } ?? []))
    }

    private static let requests: [JSON] = [
        ["op": "hello", "language": "de"],
        ["op": "enter", "pass": .text(pass), "name": "Anna", "secret": .text(id)],
        [
            "op": "resume", "member": .text(id), "secret": .text(id), "head": ["seq": 4, "id": .text(id)],
            "tail": ["AQID"],
        ],
        ["op": "write", "kind": "text", "text": "Hi", "replyTo": .text(id), "alone": true],
        ["op": "write", "kind": "picture", "upload": "0011223344556677", "caption": "x", "replyTo": .text(id)],
        ["op": "write", "kind": "understood", "message": .text(id)],
        ["op": "write", "kind": "meeting-answer", "meeting": .text(id), "answer": "late", "minutes": 5],
        ["op": "write", "kind": "alarm", "text": "Help", "battery": 40, "guidesOnly": true],
        ["op": "write", "kind": "alarm-answer", "alarm": .text(id), "answer": "found"],
        ["op": "write", "kind": "roll-answer", "roll": .text(id), "state": "here"],
        ["op": "write", "kind": "withdraw", "message": .text(id)],
        ["op": "write", "kind": "name", "name": "Ben"],
        ["op": "leave"], ["op": "confirm", "id": .text(id)],
        ["op": "messages", "before": "end", "count": 100], ["op": "messages", "after": .text(id)],
        ["op": "message", "id": .text(id)], ["op": "read", "through": .text(id)], ["op": "got", "news": 7],
        ["op": "upload", "upload": "0011223344556677", "offset": 0, "size": 9, "name": "x.jpg"],
        ["op": "picture", "id": .text(id), "small": true, "offset": 0],
        ["op": "file", "id": .text(id), "offset": 262_144], ["op": "file", "id": .text(id)],
        ["op": "shared", "id": .text(id)], ["op": "search", "words": " ferry  pier "],
        [
            "op": "position", "seconds": 3_600, "latitude": .number("41.9"), "longitude": .number("-12.5"),
            "accuracy": 12, "age": 3,
        ],
    ]

    @Test func whatTheChapterHasIsUnderstood() {
        for request in Self.requests {
            #expect(Self.code(request) == "fine", "\(String(decoding: request.encoded, as: UTF8.self))")
            // A newer page may say more.
            #expect(Self.code(Self.changed(request, "colour", "red")) == "fine")
        }
    }

    @Test func whatIsLeftOutHasItsMeaning() throws {
        for request in [
            ["op": "hello"], ["op": "write", "kind": "text", "text": "Hi"],
            ["op": "write", "kind": "text", "text": "Hi", "replyTo": .null], ["op": "write", "kind": "alarm"],
            ["op": "picture", "id": .text(Self.id)], ["op": "messages", "around": "end"],
            ["op": "position", "seconds": 0], ["op": "position", "seconds": 86_400, "latitude": .null],
            ["op": "resume", "member": .text(Self.id), "secret": .text(Self.id), "head": ["seq": 0]],
        ] as [JSON] {
            #expect(Self.code(request) == "fine", "\(String(decoding: request.encoded, as: UTF8.self))")
        }
        guard case .messages(let place, let count) = try GuestRequest(["op": "messages", "around": "end"], bytes: [])
        else { return #expect(Bool(false)) }
        #expect(place == .last && count == GuestLimits.messagesMax)
        guard case .hello(let language) = try GuestRequest(["op": "hello", "language": "xx"], bytes: []) else {
            return #expect(Bool(false))
        }
        #expect(language == .english)
    }

    @Test func fieldsOfAnotherTypeAreNamed() {
        for request in Self.requests {
            guard case .object(let members) = request else { continue }
            for member in members where member.name != "op" && !(member.name == "name" && request["op"] == "upload") {
                for value in [true, ["x": 1], [["y": 1]], .number("1.5"), .number("-1")] as [JSON]
                where !(["small", "alone", "guidesOnly"].contains(member.name) && value == true)
                    && !(member.name == "head" && value["x"] != nil)
                    && !(member.name.hasSuffix("itude") && value.real != nil)
                {
                    #expect(Self.wrong(Self.changed(request, member.name, value)) == member.name, "\(member.name)")
                }
            }
        }
    }

    @Test func missingAndOddFieldsAreNamed() {
        let enter = Self.requests[1], resume = Self.requests[2]
        let many = JSON.list(Array(repeating: "AQID", count: SeatLimits.tailMax + 1))
        let large = JSON.list([.text(Data(count: SeatLimits.tailBytesMax + 1).base64EncodedString())])
        for (request, field) in [
            (Self.changed(enter, "pass", nil), "pass"), (Self.changed(enter, "pass", "abcd"), "pass"),
            (Self.changed(enter, "secret", .text(Self.pass)), "secret"), (Self.changed(enter, "name", nil), "name"),
            (Self.changed(resume, "member", "anna"), "member"), (Self.changed(resume, "head", nil), "head"),
            (Self.changed(resume, "head", ["id": .text(Self.id)]), "seq"),
            (Self.changed(resume, "head", ["seq": 1, "id": "x"]), "id"),
            (Self.changed(resume, "tail", ["?"]), "tail"), (Self.changed(resume, "tail", [1]), "tail"),
            (Self.changed(resume, "tail", many), "tail"), (Self.changed(resume, "tail", large), "tail"),
            (["op": "write"], "kind"), (["op": "write", "kind": "rekey"], "kind"),
            (["op": "write", "kind": "text"], "text"),
            (["op": "write", "kind": "meeting-answer", "meeting": .text(Self.id), "answer": "maybe"], "answer"),
            (["op": "write", "kind": "alarm", "battery": 101], "battery"),
            (["op": "write", "kind": "alarm-answer", "alarm": .text(Self.id), "answer": "on-my-way"], "answer"),
            (["op": "write", "kind": "roll-answer", "roll": .text(Self.id), "state": "late"], "state"),
            (["op": "messages"], "before"), (["op": "messages", "after": "end"], "after"),
            (["op": "messages", "before": "end", "after": .text(Self.id)], "before"),
            (["op": "messages", "before": "abc"], "before"),
            (["op": "messages", "before": "end", "count": 0], "count"),
            (["op": "messages", "before": "end", "count": 101], "count"),
            (["op": "upload", "upload": "0011223344556677", "offset": 0, "size": 0], "size"),
            (["op": "upload", "upload": "00112233", "offset": 0, "size": 1], "upload"),
            (["op": "file"], "id"), (["op": "shared", "id": "abc"], "id"), (["op": "search"], "words"),
            (["op": "search", "words": " \n"], "words"),
            (["op": "search", "words": .text(String(repeating: "x", count: 257))], "words"),
            (["op": "position"], "seconds"), (["op": "position", "seconds": 86_401], "seconds"),
            (["op": "position", "seconds": 1, "latitude": .number("90.1"), "longitude": 1], "latitude"),
            (["op": "position", "seconds": 1, "latitude": .number("1e999"), "longitude": 1], "latitude"),
            (["op": "position", "seconds": 1, "latitude": 1], "longitude"),
            (["op": "position", "seconds": 1, "latitude": 1, "longitude": -181], "longitude"),
            (["op": "position", "seconds": 1, "latitude": 1, "longitude": 1, "age": 61], "age"),
            (["op": "position", "seconds": 1, "latitude": 1, "longitude": 1, "accuracy": 20_100_001], "accuracy"),
            (["op": "confirm"], "id"), (["op": 1], "op"), ([:], "op"), ([], "op"), ("x", "op"),
        ] as [(JSON, String)] {
            #expect(Self.code(request) == "bad-request")
            #expect(Self.wrong(request) == field, "\(field)")
        }
        for name in ["news", "status", "tours", "", "HELLO", "hello "] {
            #expect(Self.code(["op": .text(name)]) == "unknown-op", "\(name)")
        }
    }

    @Test func aPositionIsReadAsItIs() throws {
        guard case .position(let position) = try GuestRequest(try #require(Self.requests.last), bytes: []) else {
            return #expect(Bool(false))
        }
        #expect(position.seconds == 3_600 && position.accuracyMetres == 12 && position.age == 3)
        #expect(position.place == Coordinate(degreesNorth: 41.9, degreesEast: -12.5))
        guard case .position(let end) = try GuestRequest(["op": "position", "seconds": 0], bytes: []) else {
            return #expect(Bool(false))
        }
        #expect(end.seconds == 0 && end.place == nil)
    }

    @Test func aPlaintextIsALengthJSONAndBytes() throws {
        let joined = GuestPlaintext.joined(Array("{}".utf8), [7, 8])
        #expect(joined == [0, 0, 0, 2, 0x7B, 0x7D, 7, 8])
        let parts = try #require(GuestPlaintext.parts(joined))
        #expect(Array(parts.json) == Array("{}".utf8) && Array(parts.bytes) == [7, 8])
        for odd in [[], [0, 0, 0], [0, 0, 0, 1], [0, 0, 0, 3, 1, 2], [0xFF, 0xFF, 0xFF, 0xFF, 1]] as [[UInt8]] {
            #expect(GuestPlaintext.parts(odd) == nil, "\(odd)")
        }
        #expect(SealedRequest(Array(repeating: 1, count: 39)) == nil)
        #expect(SealedRequest(Array(repeating: 1, count: 40)) != nil)
    }

    @Test func aHostIsOursOrNot() {
        for (host, door, isOurs) in [
            ("10.42.0.1:8480", "10.42.0.1:8480", true), ("10.42.0.1", "10.42.0.1:8480", false),
            ("10.42.0.1:80", "10.42.0.1:8480", false), ("10.42.0.2:8480", "10.42.0.1:8480", false),
            ("[fd00::1]:8480", "[fd00::1]:8480", true), ("[FD00::1]:8480", "[fd00::1]:8480", true),
            ("guide.local:8480", "10.42.0.1:8480", true), ("GUIDE.LOCAL", "10.42.0.1:8480", true),
            (".local", "10.42.0.1:8480", false), ("local", "10.42.0.1:8480", false),
            ("guide.local.evil.example", "10.42.0.1:8480", false), ("evil.example", "10.42.0.1:8480", false),
            ("connectivitycheck.gstatic.com", "10.42.0.1:8480", false), ("", "10.42.0.1:8480", false),
            (nil, "10.42.0.1:8480", true),
        ] as [(String?, String, Bool)] {
            #expect(GuestAddress.isOurs(host, door: door) == isOurs, "\(host ?? "none")")
        }
    }
}

/// No words of a request name an action.
private struct NoActions: Surface {
    func name(of action: UserAction) -> Phrase { Phrase(verbatim: "") }
}
