import Testing
import TourAPI
import TourJSON
import TourModel
import TourNode
import TourNotebook
import TourWeb
import TourWire

/// Goal: a message is written as one line of JSON that says just what the message says, every key always there.
/// Method: messages written and parsed back.
@Suite struct MessageJSONTests {
    @Test func everyKeyStands() throws {
        let expected: JSON = [
            "id": .text("0a"), "tourID": .text("0b"), "authorID": .text("0c"), "authorName": .text("Anna"),
            "authorNamesake": .null, "authorRole": .text("guide"),
            "seq": .number("18446744073709551615"), "type": .text("text"), "content": .text("hello"),
            "metadata": .object([]), "sentAt": .text("2026-05-01T10:00:00.000001Z"),
            "receivedAt": .text("2026-05-01T10:00:01.000000Z"), "status": .text("pending"), "syncedAt": .null,
            "hops": .number("2"), "mine": .flag(true), "unread": .flag(false), "replyTo": .null,
        ]
        let written = try JSON(parsing: Self.message().json())
        #expect(written == expected)
    }

    @Test func whatMayBeMissingIsWritten() throws {
        var message = Self.message()
        message.syncedAt = "2026-05-01T10:00:02.000000Z"
        message.replyTo = "0d"
        message.authorNamesake = "0c11"
        message.status = .read
        message.metadata.reason = .beforeJoining
        let value = try JSON(parsing: message.json())
        #expect(value["syncedAt"]?.text == "2026-05-01T10:00:02.000000Z")
        #expect(value["replyTo"]?.text == "0d")
        #expect(value["authorNamesake"]?.text == "0c11")
        #expect(value["status"]?.text == "read")
        #expect(value["metadata"]?["reason"]?.text == "before-joining")
    }

    @Test(arguments: [
        "", "\"quoted\" and \\ and /", "a\nb\r\nc\td", "\u{0}\u{1}\u{8}\u{C}\u{1B}[31m\u{1F}\u{7F}",
        "😀 👩‍👩‍👧 🇩🇪", "e\u{301} é 日本 שלום", "\u{2028}\u{2029}\u{FEFF}\u{FFFD}\u{10FFFF}", "{\"id\":1}",
    ])
    func textsComeBack(text: String) throws {
        var message = Self.message()
        message.content = text
        message.authorName = text
        let line = message.json()
        let value = try JSON(parsing: line)
        // Scalars, because strings that are equal may differ in them.
        for key in ["content", "authorName"] {
            let back = try #require(value[key]?.text)
            #expect(Array(back.unicodeScalars) == Array(text.unicodeScalars))
        }
        #expect(!line.contains(0x0A))
    }

    @Test func metadataSaysOnlyWhatThereIsToSay() throws {
        let cases: [(Message.Metadata, JSON)] = [
            (Message.Metadata(urgent: true), ["urgent": .flag(true)]),
            (Message.Metadata(urgent: false), ["urgent": .flag(false)]),
            (Message.Metadata(expiresAt: "x"), ["expiresAt": .text("x")]),
            (Message.Metadata(expired: true), ["expired": .flag(true)]),
            (Message.Metadata(clockWrong: true), ["clockWrong": .flag(true)]),
            (Message.Metadata(reason: .quiet), ["reason": "quiet"]),
            (
                Message.Metadata(urgent: true, expiresAt: "x", expired: false, clockWrong: true),
                [
                    "urgent": .flag(true), "expiresAt": .text("x"), "expired": .flag(false),
                    "clockWrong": .flag(true),
                ]
            ),
        ]
        for (metadata, expected) in cases {
            var message = Self.message()
            message.metadata = metadata
            let written = try #require(try JSON(parsing: message.json())["metadata"])
            #expect(written == expected)
        }
    }

    @Test func filesAreSaidAmongTheMetadata() throws {
        let shape = try #require(BlobShape(size: 70_000))
        let full = FileContent(
            key: .zero, shape: shape, pageHashes: [.zero], name: "Gate\".jpg", media: "image/jpeg", thumbnail: [1],
            width: 3, height: 2, caption: "By\nthe door", replyTo: nil)
        let bare = FileContent(
            key: .zero, shape: shape, pageHashes: [.zero], name: "x", media: nil, thumbnail: nil, width: 0, height: 0,
            caption: nil, replyTo: nil)
        let place = try #require(Coordinate(latitude: 15_000_000, longitude: 0))
        let meeting = Meeting(place: place, label: nil, text: "Here", at: nil, expiresAt: nil, photo: bare)
        let cases: [(Content, JSON)] = [
            (
                .image(full),
                [
                    "name": "Gate\".jpg", "media": "image/jpeg", "size": 70_000, "caption": "By\nthe door", "width": 3,
                    "height": 2, "complete": false, "have": 65_536, "thumbnail": "AQ==",
                ]
            ),
            (.file(bare), ["name": "x", "size": 70_000, "complete": false, "have": 65_536]),
            (
                .meeting(meeting),
                [
                    "latitude": .number("1.5"), "longitude": .number("0"),
                    "photo": ["name": "x", "size": 70_000, "complete": false, "have": 65_536],
                ]
            ),
        ]
        for (content, expected) in cases {
            var message = Self.message()
            message.show(content, wallMilliseconds: 0, progress: FileProgress(have: 65_536, complete: false))
            let written = try #require(try JSON(parsing: message.json())["metadata"])
            #expect(written == expected)
        }
    }

    @Test func sharedRecordsAreSaidAmongTheMetadata() throws {
        var first = Message.Shared(record: "00112233-4455-6677-8899-aabbccddeeff", version: 1, isTakenBack: false)
        first.url = "geo:1.5,0"
        first.place = Coordinate(latitude: 15_000_000, longitude: 0)
        var later = Message.Shared(record: "r", version: Limits.sharedVersionMax, isTakenBack: false)
        later.stops = 12
        var changes = RecordDifference.Summary()
        (changes.stopsAdded, changes.stopsMoved, changes.fields) = (1, 2, ["title", "tags"])
        later.changes = changes
        let cases: [(Message.Shared, JSON)] = [
            (
                first,
                [
                    "record": "00112233-4455-6677-8899-aabbccddeeff", "version": 1, "url": "geo:1.5,0",
                    "latitude": .number("1.5"), "longitude": .number("0"),
                ]
            ),
            (
                later,
                [
                    "record": "r", "version": .number("9007199254740991"), "stops": 12,
                    "changes": [
                        "stopsAdded": 1, "stopsRemoved": 0, "stopsMoved": 2, "stopsChanged": 0, "linesAdded": 0,
                        "linesRemoved": 0, "fields": ["title", "tags"],
                    ],
                ]
            ),
            (
                Message.Shared(record: "r", version: 2, isTakenBack: true),
                ["record": "r", "version": 2, "takenBack": true]
            ),
        ]
        for (shared, expected) in cases {
            var message = Self.message()
            message.metadata.shared = shared
            let written = try #require(try JSON(parsing: message.json())["metadata"])
            #expect(written == expected)
        }
    }

    @Test func linesAreWrittenOneBehindTheOther() {
        let first = Self.message().json()
        var lines = first
        lines.append(0x0A)
        Self.message().appendJSON(to: &lines)
        let expected: [UInt8] = first + [0x0A] + first
        #expect(lines == expected)
    }

    private static func message() -> Message {
        Message(
            id: "0a", tourID: "0b", authorID: "0c", authorName: "Anna", authorNamesake: nil, authorRole: "guide",
            seq: .max, type: "text", content: "hello", metadata: Message.Metadata(),
            sentAt: "2026-05-01T10:00:00.000001Z",
            receivedAt: "2026-05-01T10:00:01.000000Z", status: .pending, syncedAt: nil, hops: 2, mine: true,
            unread: false, replyTo: nil)
    }
}

extension Message {
    fileprivate func json() -> [UInt8] {
        var bytes = [UInt8]()
        appendJSON(to: &bytes)
        return bytes
    }
}
