// The module that declares `stat`, this one or Glibc, depends on the order in which the compiler meets them.
import CoreFoundation
import Foundation
import Glibc
import TourModel

/// The operator's settings file: long option names of `serve` as keys, and secrets, which no command line may hold.
/// Form: lines of TOML, `key = value`, without sections.
package struct SettingsFile: Sendable {
    /// What a key takes.
    package enum Kind: Hashable, Sendable {
        /// A text between quotation marks, or a number.
        case option
        /// Several texts: a list, or one text with commas.
        case options
        /// `true` or `false`.
        case flag
        /// A text that becomes a variable of the process's environment. No command line has it.
        case variable(String, isSecret: Bool)
    }

    /// A setting that counts.
    private struct Setting: Sendable {
        let key: String
        let line: Int
        let kind: Kind
        /// `["true"]` for a flag that is on, none for one that is off.
        let values: [String]
    }

    /// Keys that are no option of a command line. Where the environment has the variable too, the file counts.
    package static let variables: [String: Kind] = [
        "twilio-account-sid": .variable("TWILIO_ACCOUNT_SID", isSecret: false),
        "twilio-auth-token": .variable("TWILIO_AUTH_TOKEN", isSecret: true),
        "twilio-from": .variable("TWILIO_FROM", isSecret: false),
        "smtp-user": .variable("SMTP_USER", isSecret: false),
        "smtp-password": .variable("SMTP_PASSWORD", isSecret: true),
        "aws-access-key-id": .variable("AWS_ACCESS_KEY_ID", isSecret: false),
        "aws-secret-access-key": .variable("AWS_SECRET_ACCESS_KEY", isSecret: true),
        "log-level": .variable("TOUR_SERVER_LOG", isSecret: false),
    ]

    /// The file's path, as it was named.
    package let path: String
    private var settings: [Setting] = []

    /// Reads a file from the disk.
    /// - Parameter options: what each long option of the command line takes, by its name without `--`.
    package init(path: String, options: [String: Kind]) throws(SettingsFileError) {
        let (bytes, mode) = try Self.read(path)
        try self.init(bytes, mode: mode, path: path, options: options)
    }

    /// - Parameter mode: the file's permissions.
    /// - Throws: every fault of the file at once.
    package init(
        _ bytes: [UInt8], mode: UInt32, path: String, options: [String: Kind]
    ) throws(SettingsFileError) {
        self.path = path
        let text: SettingsText
        do throws(SettingsText.Fault) { text = try SettingsText(bytes) } catch {
            throw SettingsFileError(path: path, .unreadable(error))
        }
        let known = options.merging(Self.variables) { option, _ in option }
        var faults = text.strays.map { SettingsFileError.Fault.notASetting(line: $0) }
        // Whoever may write the file may name an issuer whose tokens the server would take.
        if mode & Self.othersWrite != 0 { faults.append(.openToWriters) }
        var lines: [String: Int] = [:]
        for entry in text.entries {
            guard entry.section.isEmpty else {
                faults.append(.section(line: entry.line, name: entry.section))
                continue
            }
            guard let kind = known[entry.key] else {
                faults.append(.unknownKey(line: entry.line, key: entry.key, nearest: Self.nearest(entry.key, known)))
                continue
            }
            if let first = lines.updateValue(entry.line, forKey: entry.key) {
                faults.append(.twice(line: entry.line, key: entry.key, first: first))
            } else if case .variable(_, isSecret: true) = kind, mode & Self.othersMask != 0 {
                faults.append(.openSecret(line: entry.line, key: entry.key))
            } else if let values = Self.values(of: entry, kind) {
                settings.append(Setting(key: entry.key, line: entry.line, kind: kind, values: values))
            } else {
                faults.append(.wrongType(line: entry.line, key: entry.key, kind: kind))
            }
        }
        guard faults.isEmpty else { throw SettingsFileError(path: path, faults: faults.sorted { $0.line < $1.line }) }
    }

    /// The lines with a setting that counts.
    package var count: Int { settings.count }

    /// What the command line would say in place of the file.
    /// - Parameter names: the options that this command has.
    /// - Parameter given: the options that the command line has itself, which go before those of the file.
    package func arguments(for names: Set<String>, given: Set<String>) -> [String] {
        settings.flatMap { setting -> [String] in
            guard names.contains(setting.key), !given.contains(setting.key) else { return [] }
            switch setting.kind {
            case .variable: return []
            case .flag: return setting.values.isEmpty ? [] : ["--" + setting.key]
            case .option, .options: return setting.values.map { "--\(setting.key)=\($0)" }
            }
        }
    }

    /// The variables of the environment that the file sets.
    package var environment: [(name: String, value: String)] {
        settings.compactMap { setting in
            guard case .variable(let name, _) = setting.kind else { return nil }
            return (name, setting.values.first ?? "")
        }
    }

    /// Where the file sets what a text names, as `--sms (line 4)` or `smtp-user (line 5)`.
    /// - Parameter given: the options that the command line has itself: then the file's do not count.
    package func places(namedIn text: String, given: Set<String>) -> [String] {
        let words = Set(text.split { !($0.isLetter || $0.isNumber || $0 == "-") }.map(String.init))
        return settings.compactMap { setting in
            let name = if case .variable = setting.kind { setting.key } else { "--" + setting.key }
            return words.contains(name) && !given.contains(setting.key) ? "\(name) (line \(setting.line))" : nil
        }
    }

    /// Everybody on the machine, and nobody else: the file's group may be the server's own.
    private static let othersMask: UInt32 = 0o007
    private static let othersWrite: UInt32 = 0o002

    private static func values(of entry: SettingsText.Entry, _ kind: Kind) -> [String]? {
        switch (kind, entry.form) {
        case (.flag, .bare):
            entry.value == "true" ? ["true"] : entry.value == "false" ? [] : nil
        case (.option, .bare): Int(entry.value).map { [String($0)] }
        case (.option, .quoted), (.variable, .quoted): [entry.value]
        case (.options, .list(let values)): values
        case (.options, .quoted):
            entry.value.split(separator: ",").map { $0.trimmingCharacters(in: .whitespaces) }
        default: nil
        }
    }

    /// The known key that somebody most likely meant.
    private static func nearest(_ key: String, _ known: [String: Kind]) -> String? {
        let plain = key.replacing("_", with: "-")
        if known[plain] != nil { return plain }
        return known.keys.sorted().first { $0.hasPrefix(plain) || plain.hasPrefix($0) }
    }

    private static func read(_ path: String) throws(SettingsFileError) -> (bytes: [UInt8], mode: UInt32) {
        // Without waiting for somebody who writes into a pipe of that name.
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else { throw SettingsFileError(path: path, .noFile(errno)) }
        defer { close(descriptor) }
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { throw SettingsFileError(path: path, .noFile(errno)) }
        guard status.st_mode & S_IFMT == S_IFREG else { throw SettingsFileError(path: path, .noFile(EINVAL)) }
        var bytes = [UInt8](repeating: 0, count: SettingsText.bytesMax + 1)
        var length = 0
        while length < bytes.count {
            let count = bytes.withUnsafeMutableBytes {
                Glibc.read(descriptor, $0.baseAddress! + length, $0.count - length)
            }
            guard count >= 0 else { throw SettingsFileError(path: path, .noFile(errno)) }
            if count == 0 { break }
            length += count
        }
        return (Array(bytes[..<length]), status.st_mode)
    }
}
