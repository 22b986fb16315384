import TourModel
import TourPresentation
import TourWords

/// The settings of a device without a screen: its name, and the code by which it joins.
package struct SetupFile: Sendable {
    /// The node's role in its tour.
    package enum Role: String, CaseIterable, Sendable {
        case member
        /// Nobody reads there: the device connects networks.
        case bridge
    }

    /// The node's display name.
    package private(set) var name: String?
    /// As written; the node checks it.
    package private(set) var code: String?
    package private(set) var role = Role.member
    /// Settings without effect, in the order of the lines.
    package private(set) var remarks: [SetupRemark] = []
    /// Where the lines with a code are, in bytes.
    private var codeLines: [Range<Int>] = []

    /// - Throws: for a file that is no text.
    package init(_ file: [UInt8]) throws(SetupError) {
        let text: SettingsText
        do throws(SettingsText.Fault) { text = try SettingsText(file) } catch { throw SetupError(error) }
        remarks = text.strays.map { .stray(line: $0) }
        var seen: Set<[String]> = [], announced: Set<String> = []
        for entry in text.entries {
            if entry.section.isEmpty {
                if entry.key == "code" { codeLines.append(entry.bytes) }
                if seen.insert([entry.key]).inserted {
                    apply(entry)
                } else {
                    remarks.append(.twice(line: entry.line, key: entry.key))
                }
            } else if announced.insert(entry.section).inserted {
                remarks.append(
                    ["wifi", "hotspot"].contains(entry.section)
                        ? .notYet(line: entry.line, section: entry.section)
                        : .unknownSection(line: entry.line, section: entry.section))
            }
        }
        remarks.sort { $0.line < $1.line }
    }

    /// What to write where, so that no code remains in the file: as many bytes as before, since a file that is never
    /// truncated survives a power cut at any moment.
    package var wiping: [(bytes: Range<Int>, text: [UInt8])] {
        codeLines.map { bytes in
            let note = Array("# code: taken".utf8.prefix(bytes.count))
            return (bytes, note + [UInt8](repeating: 0x20, count: bytes.count - note.count))
        }
    }

    private mutating func apply(_ entry: SettingsText.Entry) {
        switch entry.key {
        case "name":
            let isName =
                !entry.value.isBlank && entry.value.utf8.count <= Limits.nameBytesMax
                && !entry.value.unicodeScalars.contains { $0.properties.generalCategory == .control }
            if isName { name = entry.value } else { remarks.append(.badName(line: entry.line)) }
        case "code":
            if entry.value.contains(where: { $0.isLetter || $0.isNumber }) { code = entry.value }
        case "role":
            if let known = Role(rawValue: entry.value.lowercased()) {
                role = known
            } else {
                remarks.append(.badRole(line: entry.line, value: entry.value))
            }
        default: remarks.append(.unknownKey(line: entry.line, key: entry.key))
        }
    }
}

/// A setting without effect, and the reason. Never quotes a line that may hold a secret.
package enum SetupRemark: Hashable, Sendable {
    case stray(line: Int)
    case unknownKey(line: Int, key: String)
    case unknownSection(line: Int, section: String)
    case twice(line: Int, key: String)
    case badName(line: Int)
    case badRole(line: Int, value: String)
    case notYet(line: Int, section: String)

    var line: Int {
        switch self {
        case .stray(let line), .unknownKey(let line, _), .unknownSection(let line, _), .twice(let line, _),
            .badName(let line), .badRole(let line, _), .notYet(let line, _):
            line
        }
    }

    package var phrase: Phrase {
        switch self {
        case .stray(let line):
            Phrase("Line \(line) is not understood: a line is KEY = \"VALUE\", as in name = \"Bus 1\".")
        case .unknownKey(let line, let key):
            Phrase("Line \(line): “\(Self.shown(key))” is unknown; name, code and role are known.")
        case .unknownSection(let line, let section):
            Phrase("Line \(line): a section [\(Self.shown(section))] is unknown.")
        case .twice(let line, let key):
            Phrase("Line \(line): “\(Self.shown(key))” was there before; the first one counts.")
        case .badName(let line):
            Phrase(
                """
                Line \(line): this cannot be a name: it has 1 to \(Limits.nameBytesMax) bytes and no control characters.
                """)
        case .badRole(let line, let value):
            Phrase(
                """
                Line \(line): a role “\(Self.shown(value))” is unknown: write member or bridge. Who guides is said \
                within the tour: 'tour-chat role NAME guide'.
                """)
        case .notYet(let line, let section):
            Phrase(
                """
                Line \(line): [\(Self.shown(section))] is read, but nothing is done with it yet: set the network up \
                with the means of the system.
                """)
        }
    }

    private static func shown(_ text: String) -> String { String(TerminalText.safe(text).prefix(40)) }
}

/// Why such a file is refused as a whole.
package enum SetupError: SpokenFault, Hashable {
    /// Larger than `SettingsText.bytesMax`.
    case tooLong
    /// Not UTF-8.
    case notText

    init(_ fault: SettingsText.Fault) {
        switch fault {
        case .tooLong: self = .tooLong
        case .notText: self = .notText
        }
    }

    package var scope: FaultScope { .record }

    package var code: String {
        switch self {
        case .tooLong: "setup-too-long"
        case .notText: "setup-not-text"
        }
    }

    package func phrase(on surface: any Surface) -> Phrase {
        switch self {
        case .tooLong: Phrase("The file is too long: settings take at most \(SettingsText.bytesMax) bytes.")
        case .notText:
            Phrase("The file is no text that can be read here: save it as plain text (UTF-8) in your editor.")
        }
    }
}
