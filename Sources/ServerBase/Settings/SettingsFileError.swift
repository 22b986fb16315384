import Glibc
import TourModel

/// Why a settings file is refused: each fault with its line, and what to do about it.
package struct SettingsFileError: Error, Hashable, CustomStringConvertible {
    /// One thing that is wrong. None quotes a value, which may be a secret.
    package enum Fault: Hashable, Sendable {
        /// The system's error number.
        case noFile(Int32)
        case unreadable(SettingsText.Fault)
        case notASetting(line: Int)
        case section(line: Int, name: String)
        /// - Parameter nearest: a key that may be meant.
        case unknownKey(line: Int, key: String, nearest: String?)
        case twice(line: Int, key: String, first: Int)
        case wrongType(line: Int, key: String, kind: SettingsFile.Kind)
        /// Everybody on the machine could read the secret.
        case openSecret(line: Int, key: String)
        /// Everybody on the machine could change the settings.
        case openToWriters

        /// 0: the file as a whole.
        var line: Int {
            switch self {
            case .noFile, .unreadable, .openToWriters: 0
            case .notASetting(let line), .section(let line, _), .unknownKey(let line, _, _), .twice(let line, _, _),
                .wrongType(let line, _, _), .openSecret(let line, _):
                line
            }
        }
    }

    /// The file, as it was named.
    package let path: String
    /// In the order of the lines.
    package let faults: [Fault]

    init(path: String, faults: [Fault]) {
        self.path = path
        self.faults = faults
    }

    init(path: String, _ fault: Fault) { self.init(path: path, faults: [fault]) }

    /// One line for each fault.
    package var description: String {
        faults.map { "\(path)\($0.line > 0 ? ", line \($0.line)" : ""): \(words($0))" }.joined(separator: "\n")
    }

    private func words(_ fault: Fault) -> String {
        switch fault {
        case .noFile(EINVAL): "this is no file: name a file with settings"
        case .noFile(let number): "the file cannot be read: \(String(cString: strerror(number)))"
        case .unreadable(.tooLong): "the file is too long: settings take at most \(SettingsText.bytesMax) bytes"
        case .unreadable(.notText): "this is no text: save the file as plain text (UTF-8)"
        case .notASetting:
            "this is no setting: write KEY = \"VALUE\", a list in one line, and # before a remark"
        case .section(_, let name):
            "a section [\(Self.shown(name))] is unknown: take its line out, all keys stand without one"
        case .unknownKey(_, let key, let nearest):
            "\(Self.shown(key)) is unknown: "
                + (nearest.map { "is \($0) meant?" }
                    ?? "'tour-server serve --help' has the options, which are the keys")
        case .twice(_, let key, let first): "\(key) stands in line \(first) too: take one of them out"
        case .wrongType(_, let key, let kind): "\(key) wants \(Self.form(of: kind, key))"
        case .openToWriters: "everybody on this machine can change the file: chmod o-w \(path)"
        case .openSecret(_, let key):
            "\(key) is a secret, and everybody on this machine can open the file: chmod o-rwx \(path)"
        }
    }

    private static func form(of kind: SettingsFile.Kind, _ key: String) -> String {
        switch kind {
        case .option: "one text or whole number: \(key) = \"TEXT\""
        case .options: "texts: \(key) = [\"ONE\", \"TWO\"], in one line"
        case .flag: "true or false, without quotation marks"
        case .variable: "one text: \(key) = \"TEXT\""
        }
    }

    private static func shown(_ text: String) -> String {
        String(text.filter { !$0.unicodeScalars.contains { $0.properties.generalCategory == .control } }.prefix(40))
    }
}
