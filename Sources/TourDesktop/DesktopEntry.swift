import TourModel

/// A desktop's description of a program. Source: Desktop Entry Specification 1.5.
package struct DesktopEntry: Sendable {
    /// What the program is for, as menus show it.
    package struct Comment: Sendable {
        /// In English.
        package let plain: String
        /// In other languages, by their tags.
        package let translations: [(tag: String, text: String)]

        package init(plain: String, translations: [(tag: String, text: String)] = []) {
            self.plain = plain
            self.translations = translations
        }
    }

    /// The program and its arguments; a link that the user opened is appended.
    package let command: [String]
    private let comment: Comment

    /// - Parameter command: the program's absolute path first.
    /// - Throws: `DesktopError.badPath` for words that such a file cannot contain.
    package init(command: [String], comment: Comment) throws(DesktopError) {
        // Source: there, "The Exec key": an equals sign would make the first word a variable. GLib looks up a
        // program's path with its per cent signs still doubled.
        guard let program = command.first, program.hasPrefix("/"), !program.contains(where: { "=%".contains($0) })
        else { throw .badPath }
        for word in command where word.unicodeScalars.contains(where: { $0.properties.generalCategory == .control }) {
            throw .badPath
        }
        self.command = command
        self.comment = comment
    }

    /// The whole file.
    package var text: String {
        let translations = comment.translations.map { "Comment[\($0.tag)]=\(Self.escaped($0.text))\n" }
        return """
            [Desktop Entry]
            Type=Application
            Name=Tour Chat
            Comment=\(Self.escaped(comment.plain))
            \(translations.joined())Exec=\(Self.escaped(exec))
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
    package var english: String {
        if case .failed(let path, let reason) = self { "\(path) could not be changed: \(reason)" } else { code }
    }
}
