import ArgumentParser
import Foundation
import Glibc
import ServerBase
import TourServer

/// `backup`: a copy of the server's data, made while it serves.
struct BackupCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "backup", abstract: "Copy the server's data, while it serves, or check a copy.",
        discussion: """
            The copy is a folder: the database as an SQLite file, also of a PostgreSQL database; every file that it \
            names; the server's keys; and a hash of each. It holds the server's secrets: keep it like the data \
            directory itself. An interrupted backup leaves none.

            EXAMPLES
              tour-server backup --data-dir /var/lib/tour-server --to /var/backups
              tour-server backup --data-dir /var/lib/tour-server --to /var/backups --keep 14
              tour-server backup --check /var/backups/tour-server-20270501T040000Z
            """)

    @OptionGroup var place: PlaceOptions
    @Option(
        help: ArgumentHelp(
            "A folder, in which the backup gets a name by its time; or a name that nothing has yet.",
            valueName: "dir|name"))
    var to: String?
    @Option(
        help: ArgumentHelp(
            "After it, keep the newest backups in the folder, so many, and remove those before.", valueName: "count"))
    var keep: Int?
    @Option(help: ArgumentHelp("Compare this backup with its hashes, and make none.", valueName: "backup"))
    var check: String?
    @Flag(help: "Make the backup also where the server itself has lost or damaged files.")
    var lenient = false
    @Flag(help: "Print what the backup holds as JSON.")
    var json = false

    private static let keepMax = 10_000

    func validate() throws {
        guard (to == nil) != (check == nil) else { throw ValidationError("Say either --to or --check.") }
        guard check == nil || !lenient else { throw ValidationError("--lenient goes with --to.") }
        guard check == nil || keep == nil else { throw ValidationError("--keep goes with --to.") }
        if let keep, !(1...Self.keepMax).contains(keep) { throw ValidationError("--keep wants 1 to \(Self.keepMax).") }
        var isFolder: ObjCBool = false
        if let to, keep != nil,
            !FileManager.default.fileExists(atPath: to, isDirectory: &isFolder) || !isFolder.boolValue
        {
            throw ValidationError("--keep wants --to to name a folder that there is: mkdir '\(to)'.")
        }
    }

    func run() async throws {
        let progress = TerminalProgress()
        if let to {
            let backup = try await ServerBackup.make(
                of: place.settings, to: to, isLenient: lenient, progress: progress.show)
            progress.end()
            report(backup, json: json, "\(backup.path) is made; it holds the server's secrets.")
            let name = URL(fileURLWithPath: backup.path).lastPathComponent
            let gone: [String]
            do { gone = try keep.map { try ServerBackup.prune(to, keeping: $0, sparing: name) } ?? [] } catch {
                guard (error as? Failure)?.code == .alreadyServed else { throw error }
                return printLine("Another backup is being made there: it removes the older ones.", to: STDERR_FILENO)
            }
            if !gone.isEmpty {
                let all = gone.joined(separator: ", ")
                printLine("Removed, as --keep says: \(all)", to: json ? STDERR_FILENO : STDOUT_FILENO)
            }
        } else if let check {
            let backup = try ServerBackup.check(check, progress: progress.show)
            progress.end()
            report(backup, json: json, "\(backup.path) is whole.")
        }
    }
}

/// `restore`: makes a server of a backup.
struct RestoreCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "restore", abstract: "Make a server of a backup, in an empty place.",
        discussion: """
            Data directory and database must not exist or be empty; the database may be of the other engine than the \
            backup was made of. Nothing is written before the whole backup is compared with its hashes. After an \
            interruption the same command goes on, and until it has ended no server starts there.

            EXAMPLES
              tour-server restore --from /var/backups/tour-server-20270501T040000Z --data-dir /var/lib/tour-server
            """)

    @OptionGroup var place: PlaceOptions
    @Option(help: ArgumentHelp("The backup.", valueName: "backup"))
    var from: String
    @Flag(help: "Print what the backup holds as JSON.")
    var json = false

    func run() async throws {
        let progress = TerminalProgress()
        let backup = try await ServerRestore.run(from: from, to: place.settings, progress: progress.show)
        progress.end()
        report(backup, json: json, "\(place.directory) holds what \(backup.path) does.")
    }
}

private func report(_ backup: ServerBackup, json: Bool, _ words: String) {
    if json { return printLine(backup.manifest.json) }
    let manifest = backup.manifest
    printLine(words)
    printLine(
        "As of \(manifest.made), by tour-server \(manifest.version): \(manifest.rows["accounts"] ?? 0) accounts, "
            + "\(manifest.rows["tours"] ?? 0) tours, \(manifest.rows["events"] ?? 0) messages, "
            + "\(manifest.files) files; \(manifest.bytes) bytes.")
    for place in manifest.missing { printLine("Missing at the server itself: \(place)", to: STDERR_FILENO) }
}

/// The share that is done, in one line of a terminal; elsewhere nothing.
private struct TerminalProgress: Sendable {
    private let isShown = isatty(STDERR_FILENO) == 1

    var show: ServerBackup.Progress {
        { done, total in
            guard isShown, total > 0 else { return }
            put("\r\(min(100, done * 100 / total)) % of \(total / 1_000_000) MB ")
        }
    }

    func end() {
        if isShown { put("\r\u{1B}[K") }
    }

    private func put(_ text: String) {
        let bytes = Array(text.utf8)
        _ = bytes.withUnsafeBytes { write(STDERR_FILENO, $0.baseAddress, $0.count) }
    }
}
