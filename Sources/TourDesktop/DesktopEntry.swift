import TourModel
import TourWords

/// A desktop's description of a program. Source: Desktop Entry Specification 1.5.
package struct DesktopEntry: Sendable {
    /// The program and its arguments; a link that the user opened is appended.
    package let command: [String]

    /// - Parameter command: the program's absolute path first.
    /// - Throws: `DesktopError.badPath` for words that such a file cannot contain.
    package init(command: [String]) throws(DesktopError) {
        // Source: there, "The Exec key": an equals sign would make the first word a variable. GLib looks up a
        // program's path with its per cent signs still doubled.
        guard let program = command.first, program.hasPrefix("/"), !program.contains(where: { "=%".contains($0) })
        else { throw .badPath }
        for word in command where word.unicodeScalars.contains(where: { $0.properties.generalCategory == .control }) {
            throw .badPath
        }
        self.command = command
    }

    /// The whole file.
    package var text: String {
        let about = Phrase("Chat with your tour group, with no internet")
        let comments = Language.allCases.filter { $0 != .english && about.said(in: $0) != about.english }
            .map { "Comment[\($0.rawValue)]=\(Self.escaped(about.said(in: $0)))\n" }
        return """
            [Desktop Entry]
            Type=Application
            Name=Tour Chat
            Comment=\(about.english)
            \(comments.joined())Exec=\(Self.escaped(exec))
            Icon=\(DesktopFiles.name)
            Terminal=false
            Categories=Network;InstantMessaging;
            MimeType=x-scheme-handler/tour-chat;

            """
    }

    private var exec: String { (command.map(Self.quoted) + ["%u"]).joined(separator: " ") }

    /// A word of a command line, quoted. An unescaped per cent sign would begin a field code.
    private static func quoted(_ word: String) -> String {
        let inside = word.reduce(into: "") { result, letter in
            if "\"`$\\".contains(letter) { result.append("\\") }
            if letter == "%" { result.append("%") }
            result.append(letter)
        }
        let isPlain = word.utf8.allSatisfy { byte in
            (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte)
                || "-_./+:@,%".utf8.contains(byte)
        }
        return isPlain && !word.isEmpty ? inside : "\"\(inside)\""
    }

    /// A value as one line of such a file: quoted words are escaped once more.
    private static func escaped(_ value: String) -> String {
        value.reduce(into: "") { $0 += $1 == "\\" ? "\\\\" : String($1) }
    }
}

/// Why the program cannot be registered with the desktop.
package enum DesktopError: Fault, Hashable {
    /// The path of the program, or of its data, cannot be written in a desktop file.
    case badPath
    /// The environment does not name the user's data directory.
    case noHome
    /// The file of this path could not be written, or removed, for this reason of the system.
    case failed(path: String, reason: String)

    package var scope: FaultScope { .record }

    package var code: String {
        switch self {
        case .badPath: "desktop-path"
        case .noHome: "no-home"
        case .failed: "desktop-file"
        }
    }

    package var phrase: Phrase {
        switch self {
        case .badPath:
            Phrase(
                """
                A desktop cannot start what lies there: move tour-chat, or its data, to a path without \
                control characters, equals signs and per cent signs.
                """)
        case .noHome: Phrase("Nothing says where your files are: set HOME or XDG_DATA_HOME.")
        case .failed(let path, let reason): Phrase("\(path) could not be changed: \(reason).")
        }
    }
}
