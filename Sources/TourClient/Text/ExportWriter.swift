import TourAPI
import TourJSON
import TourNotebook
import TourWords

/// Turns messages, given as the node's JSON lines, into a format.
package protocol ExportWriter: Sendable {
    func start() -> [UInt8]
    /// The id of a message whose picture `add` wants; nil: it wants none.
    func picture(in line: ArraySlice<UInt8>) -> String?
    /// - Parameter picture: what `picture(in:)` asked for; nil: it is not here.
    /// - Throws: `JSONError` for a line that is no JSON, `CommandFailure` for one that is no message.
    mutating func add(_ line: ArraySlice<UInt8>, picture: [UInt8]?) throws -> [UInt8]
    func end() -> [UInt8]
}

extension ExportWriter {
    package func picture(in line: ArraySlice<UInt8>) -> String? { nil }

    /// The same without a picture.
    package mutating func add(_ line: ArraySlice<UInt8>) throws -> [UInt8] { try add(line, picture: nil) }
}

/// The messages of an export: it is passed on, so words to the guides alone are not in it, nor what nobody is shown.
package enum ExportedLines {
    /// Whether a message, given as the node's JSON line, is for everybody who gets the file.
    package static func has(_ line: ArraySlice<UInt8>) -> Bool {
        guard case .object(let members)? = try? JSON(parsing: line) else { return true }
        guard members.first(where: { $0.name == "type" })?.value.text != "withheld" else { return false }
        guard case .object(let metadata)? = members.first(where: { $0.name == "metadata" })?.value,
            let alone = metadata.first(where: { $0.name == "alone" })?.value
        else { return true }
        return alone == .null
    }
}

/// The words about an export.
package enum ExportWords {
    /// The last line: names the tour, which the command line may not have named.
    package static func written(_ tour: String, to file: String) -> Phrase {
        Phrase("The log of \(tour) is written to \(file).")
    }
}

/// The results of roll calls, to be added to the lines of their messages.
package struct RollRecords: Sendable {
    private let rolls: [String: JSON]

    /// - Parameter rolls: as the local API lists them.
    package init(_ rolls: [JSON]) {
        self.rolls = Dictionary(rolls.map { ($0.shown("id"), $0) }, uniquingKeysWith: { first, _ in first })
    }

    /// The line; for a roll call with a field `roll` in its metadata.
    package func added(to line: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        guard !rolls.isEmpty, case .object(var members)? = try? JSON(parsing: line),
            let roll = members.first(where: { $0.name == "id" })?.value.text.flatMap({ rolls[$0] }),
            let index = members.firstIndex(where: { $0.name == "metadata" }),
            case .object(let metadata) = members[index].value
        else { return line }
        members[index].value = .object(metadata + [JSONMember(name: "roll", value: roll)])
        return JSON.object(members).encoded[...]
    }
}

/// The node's lines unchanged.
package struct JSONLinesWriter: ExportWriter {
    package init() {}
    package func start() -> [UInt8] { [] }
    package func add(_ line: ArraySlice<UInt8>, picture: [UInt8]?) -> [UInt8] { line + [0x0A] }
    package func end() -> [UInt8] { [] }
}

/// A table with a head; UTF-8, with a byte order mark so that spreadsheets recognise it.
package struct CSVWriter: ExportWriter {
    private static let columns = [
        "id", "tourID", "authorID", "authorName", "authorRole", "seq", "type", "content", "sentAt", "receivedAt",
        "status", "syncedAt", "hops", "replyTo",
    ]

    package init() {}

    package func start() -> [UInt8] { Array("\u{FEFF}".utf8) + CSV.record(Self.columns + ["metadata"]).utf8 }

    package func add(_ line: ArraySlice<UInt8>, picture: [UInt8]?) throws -> [UInt8] {
        let message = try JSON(parsing: line)
        let metadata = message["metadata"].map { String(decoding: $0.encoded, as: UTF8.self) } ?? ""
        return Array(CSV.record(Self.columns.map { message.shown($0) } + [metadata]).utf8)
    }

    package func end() -> [UInt8] { [] }
}

/// One page with its style and pictures inside and nothing loaded from outside.
package struct HTMLWriter: ExportWriter {
    /// The largest picture that is put into the page: of a larger one it has the preview.
    package static let pictureBytesMax: UInt64 = 4 * 1_024 * 1_024

    private let title: String
    private let language: Language
    private var day: String?

    package init(title: String, in language: Language = .ofUser) {
        self.title = title
        self.language = language
    }

    package func start() -> [UInt8] {
        let page = """
            <!DOCTYPE html>
            <html lang="\(language.rawValue)"\(language == .arabic ? " dir=\"rtl\"" : "")><head><meta charset="utf-8">
            <meta name="viewport" content="width=device-width, initial-scale=1">
            <meta http-equiv="Content-Security-Policy"
             content="default-src 'none'; img-src data:; style-src 'unsafe-inline'">
            <title>\(HTMLText.escaped(title))</title>
            <style>
            body { font: 16px/1.5 system-ui, sans-serif; max-width: 44rem; margin: 2rem auto; padding: 0 1rem; }
            h2 { font-size: 1rem; text-align: center; color: #666; margin: 2rem 0 1rem; }
            p { margin: .4rem 0; white-space: pre-wrap; overflow-wrap: anywhere; }
            time { color: #666; margin-right: .6rem; }
            img { display: block; max-width: 100%; max-height: 40rem; margin: .4rem 0; }
            .announcement { border-left: .3rem solid #c60; padding-left: .6rem; }
            .urgent { border-color: #c00; }
            .other { color: #666; font-style: italic; }
            </style></head><body>
            <h1>\(HTMLText.escaped(title))</h1>

            """
        return Array(page.utf8)
    }

    package func picture(in line: ArraySlice<UInt8>) -> String? {
        guard let json = try? JSON(parsing: line), let message = try? Message(answer: json),
            let file = Self.picture(of: message), file.complete, file.size <= Self.pictureBytesMax
        else { return nil }
        return message.id
    }

    /// The picture that a message is, or the meeting point's.
    private static func picture(of message: Message) -> FileView? {
        ["image", "meeting"].contains(message.type) ? message.file : nil
    }

    package mutating func add(_ line: ArraySlice<UInt8>, picture: [UInt8]?) throws -> [UInt8] {
        let json = try JSON(parsing: line)
        let message = try Message(answer: json)
        var html = ""
        let day = message.sentTime?.day.said(in: language) ?? ""
        if day != self.day {
            html += "<h2>\(HTMLText.escaped(day))</h2>\n"
            self.day = day
        }
        let kind =
            switch message.type {
            case "text", "location", "image", "file", "note", "place", "itinerary": ""
            case "announcement", "meeting", "roll-call":
                message.isUrgent ? " class=\"announcement urgent\"" : " class=\"announcement\""
            default: " class=\"other\""
            }
        html += "<p id=\"m\(HTMLText.escaped(message.id))\"\(kind)><time>\(message.sentTime?.clockTime ?? "")</time>"
        let outcome = json["metadata"]?["roll"].flatMap { try? RollView.read($0) }.map { RollWords($0).outcome }
        let body = message.body(outcome: outcome).said(in: language)
        html += "<b>\(HTMLText.escaped(message.author))</b>: \(HTMLText.escaped(body))"
        if let file = Self.picture(of: message),
            let source = picture.flatMap(HTMLPicture.source) ?? HTMLPicture.source(preview: file.thumbnail)
        {
            html += "<img alt=\"\(HTMLText.escaped(file.caption ?? file.name))\" src=\"\(source)\">"
        }
        html += "</p>\n"
        return Array(html.utf8)
    }

    package func end() -> [UInt8] { Array("</body></html>\n".utf8) }
}
