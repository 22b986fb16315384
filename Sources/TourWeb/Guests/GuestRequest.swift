import TourCrypto
import TourJSON
import TourModel
import TourNode
import TourWords

/// What a guest's page asks for. Source: `Protocol/15-seats.md`, "What a guest can do".
package enum GuestRequest: Sendable {
    case hello(Language)
    /// What stands beside the code, typed.
    case digits(SpokenDigits, Language)
    case enter(pass: [UInt8], name: String, secret: [UInt8])
    case resume(member: String, secret: [UInt8], head: SeatHead, tail: [[UInt8]])
    case write(GuestWrite)
    case confirm(String)
    case messages(MessageWindow.Place, count: Int)
    case message(String)
    case read(through: String)
    case got(UInt64)
    case upload(GuestUploads.Part)
    case picture(id: String, isSmall: Bool, offset: UInt64)
    case file(id: String, offset: UInt64)
    /// What a message shares: a note, a place or an itinerary.
    case shared(String)
    /// - Parameter words: a message has to contain all of them.
    case search(words: [String])
    case position(SeatPosition)
}

/// What a guest writes.
package enum GuestWrite: Sendable {
    case act(SeatAct)
    /// A picture that came before, in parts.
    case picture(upload: String, caption: String, replyTo: String?)
}

extension GuestRequest {
    private static let passBytes = 16
    fileprivate static let uploadBytes = 8

    /// - Parameter bytes: what stands behind the JSON.
    /// - Throws: `unknown-op`; `bad-request` with the field's name.
    package init(_ json: JSON, bytes: [UInt8]) throws(WebError) {
        let fields = try GuestFields(json)
        switch try fields.text("op") {
        case "hello": self = .hello(try Self.language(fields))
        case "digits":
            guard let digits = SpokenDigits(parsing: try fields.text("digits")) else {
                throw GuestFields.wrong("digits")
            }
            self = .digits(digits, try Self.language(fields))
        case "enter":
            self = .enter(
                pass: try fields.bytes("pass", count: Self.passBytes), name: try fields.text("name"),
                secret: try fields.bytes("secret", count: SeatKeys.secretBytes))
        case "resume": self = try Self.resume(fields)
        case "write": self = .write(try GuestWrite(fields))
        case "leave": self = .write(.act(.leave))
        case "confirm": self = .confirm(try fields.id("id"))
        case "messages": self = try Self.messages(fields)
        case "message": self = .message(try fields.id("id"))
        case "read": self = .read(through: try fields.id("through"))
        case "got": self = .got(UInt64(try fields.number("news", in: 0...Int.max)))
        case "upload":
            guard bytes.count <= GuestLimits.partBytesMax else { throw GuestFields.wrong("upload") }
            self = .upload(
                GuestUploads.Part(
                    id: Hex.encode(try fields.bytes("upload", count: Self.uploadBytes)),
                    offset: UInt64(try fields.number("offset", in: 0...Int.max)),
                    size: UInt64(try fields.number("size", in: 1...Int.max)), bytes: bytes))
        case "picture":
            self = .picture(
                id: try fields.id("id"), isSmall: try fields.flag("small"),
                offset: UInt64(try fields.optionalNumber("offset", in: 0...Int.max) ?? 0))
        case "file":
            self = .file(
                id: try fields.id("id"), offset: UInt64(try fields.optionalNumber("offset", in: 0...Int.max) ?? 0))
        case "shared": self = .shared(try fields.id("id"))
        case "search": self = .search(words: try Self.words(fields))
        case "position": self = .position(try SeatPosition(fields))
        default:
            throw WebError(
                "unknown-op", Phrase("This device does not know what the page asks for. Load the page again."))
        }
    }

    private static func language(_ fields: GuestFields) throws(WebError) -> Language {
        Language(tag: try fields.optionalText("language") ?? "") ?? .english
    }

    private static func resume(_ fields: GuestFields) throws(WebError) -> GuestRequest {
        let head = try fields.object("head")
        return .resume(
            member: try fields.id("member"), secret: try fields.bytes("secret", count: SeatKeys.secretBytes),
            head: SeatHead(seq: UInt64(try head.number("seq", in: 0...Int.max)), id: try head.optionalID("id") ?? ""),
            tail: try fields.byteStrings(
                "tail", countMax: SeatLimits.tailMax, bytesMax: SeatLimits.tailBytesMax))
    }

    private static func words(_ fields: GuestFields) throws(WebError) -> [String] {
        let text = try fields.text("words")
        guard text.utf8.count <= GuestLimits.searchBytesMax else { throw GuestFields.wrong("words") }
        let words = text.split(whereSeparator: \.isWhitespace).map(String.init)
        guard !words.isEmpty else { throw GuestFields.wrong("words") }
        return words
    }

    private static func messages(_ fields: GuestFields) throws(WebError) -> GuestRequest {
        let count = try fields.optionalNumber("count", in: 1...GuestLimits.messagesMax) ?? GuestLimits.messagesMax
        let names = ["before", "after", "around"]
        var places = [(name: String, id: String)]()
        for name in names {
            guard let word = try fields.optionalText(name) else { continue }
            places.append((name, word == "end" ? word : try fields.id(name)))
        }
        guard let place = places.first, places.count == 1 else { throw GuestFields.wrong("before") }
        switch (place.name, place.id) {
        case ("before", "end"), ("around", "end"): return .messages(.last, count: count)
        // Nothing is behind the end.
        case ("after", "end"): throw GuestFields.wrong("after")
        case ("before", let id): return .messages(.before(id), count: count)
        case ("after", let id): return .messages(.after(id), count: count)
        case (_, let id): return .messages(.around(id), count: count)
        }
    }
}

extension SeatPosition {
    /// An older fix says where a guest was.
    private static let ageMax = 60

    fileprivate init(_ fields: GuestFields) throws(WebError) {
        self.init(seconds: Int64(try fields.number("seconds", in: 0...Int(Limits.sharingMillisecondsMax / 1_000))))
        guard let latitude = try fields.optionalReal("latitude", in: -90...90) else { return }
        guard let longitude = try fields.optionalReal("longitude", in: -180...180),
            let place = Coordinate(degreesNorth: latitude, degreesEast: longitude)
        else { throw GuestFields.wrong("longitude") }
        self.place = place
        accuracyMetres = UInt32(try fields.optionalNumber("accuracy", in: 0...Int(Fix.accuracyMax)) ?? 0)
        age = Int64(try fields.optionalNumber("age", in: 0...Self.ageMax) ?? 0)
    }
}

extension GuestWrite {
    private static let minutesMax = 24 * 60

    fileprivate init(_ fields: GuestFields) throws(WebError) {
        switch try fields.text("kind") {
        case "text":
            let (text, replyTo) = (try fields.text("text"), try fields.optionalID("replyTo"))
            self = .act(try fields.flag("alone") ? .word(text, replyTo: replyTo) : .text(text, replyTo: replyTo))
        case "picture":
            self = .picture(
                upload: Hex.encode(try fields.bytes("upload", count: GuestRequest.uploadBytes)),
                caption: try fields.optionalText("caption") ?? "", replyTo: try fields.optionalID("replyTo"))
        case "understood": self = .act(.understood(try fields.id("message")))
        case "meeting-answer":
            self = .act(
                .meetingAnswer(
                    meeting: try fields.id("meeting"),
                    answer: try fields.choice("answer", of: ["on-my-way", "late", "lost"]),
                    minutes: try fields.optionalNumber("minutes", in: 0...Self.minutesMax) ?? 0))
        case "alarm":
            self = .act(
                .alarm(
                    text: try fields.optionalText("text") ?? "",
                    battery: try fields.optionalNumber("battery", in: 0...100),
                    guidesOnly: try fields.flag("guidesOnly")))
        case "alarm-answer":
            _ = try fields.choice("answer", of: ["found"])
            self = .act(.found(alarm: try fields.id("alarm")))
        case "roll-answer":
            self = .act(
                .rollAnswer(
                    roll: try fields.id("roll"),
                    here: try fields.choice("state", of: ["here", "not-here"]) == "here"))
        case "withdraw": self = .act(.withdraw(try fields.id("message")))
        case "name": self = .act(.name(try fields.text("name")))
        default: throw GuestFields.wrong("kind")
        }
    }
}
