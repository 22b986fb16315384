import ArgumentParser
import NIOCore
import TourModel
import TourNode
import TourWeb

/// `backup`
struct BackupCommand: NodeCommand {
    static let configuration = CommandConfiguration(
        commandName: "backup",
        abstract: "Write everything that is kept here to one sealed file.",
        discussion: """
            Tours, messages and keys, sealed under a passphrase: --backup-passphrase-file, else --passphrase-file, \
            else it is asked for. A running node goes on meanwhile. The file takes its name when it is whole. With \
            --json: lines {"event":"progress",…}, the last one {"event":"done",…}.

            EXAMPLES
              tour-chat backup trip.backup
              tour-chat backup /media/stick/trip.backup --backup-passphrase-file FILE
            """)

    @OptionGroup var global: GlobalOptions
    @Argument(help: "The file to write.", completion: .file())
    var file: String
    @OptionGroup var secret: BackupSecret
    @Flag(help: "Take a passphrase of fewer than 8 characters too.")
    var weak = false

    var absence: NodeAccess.Absence { .read }

    func perform(_ client: LocalClient, _ output: Output) async throws {
        let passphrase = try secret.read(global, isNew: true)
        try PassphraseRule.check(passphrase, allowsWeak: weak)
        let request: JSON = ["path": .text(try AbsolutePath.of(file)), "passphrase": .passphrase(passphrase)]
        let body = request.encoded
        let meter = ProgressMeter(output: output, title: "Backing up")
        var lines = WholeLines()
        var isDone = false
        try await client.converse(LocalPath.make(["backup"])) { write in
            try await write(ByteBuffer(bytes: body))
        } receive: { chunk in
            for line in lines.add(chunk.readableBytesView).split(separator: 0x0A) {
                guard let report = try? JSON(parsing: line) else { throw CommandFailure.badAnswer }
                if report["error"] != nil { throw CommandFailure(answer: report, status: 500) }
                isDone = report.shown("event") == "done"
                if output.json { try output.object(report) } else { meter.show(report["percent"]?.integer ?? 0) }
            }
        }
        guard isDone else { throw CommandFailure.nodeGone }
        guard !output.json else { return }
        meter.end()
        try output.text("Written to \(file). Keep the passphrase: without it the file is of no use.")
    }
}

/// `restore`
struct RestoreCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "restore",
        abstract: "Make a node of a backup, in an empty data directory.",
        discussion: """
            The new directory is sealed under --passphrase-file, if that is given. What was written after the backup \
            comes back from the others: until one of them is in reach the node reads and receives, and writes \
            nothing, so that no message takes another one's place. 'tour-chat doctor' shows it. If the old device \
            still writes, or nobody has what it wrote last, take --new-keys: you then join each tour again with a \
            code, and keep what was written.

            EXAMPLES
              tour-chat restore trip.backup
              tour-chat restore trip.backup --data-dir NEW --backup-passphrase-file FILE
              tour-chat restore trip.backup --new-keys
            """)

    @OptionGroup var global: GlobalOptions
    @Argument(help: "The backup.", completion: .file())
    var file: String
    @OptionGroup var secret: BackupSecret
    @Flag(help: "Give up the keys in the backup: join again with codes.")
    var newKeys = false
    @Flag(help: "Seal the new directory under a passphrase of fewer than 8 characters too.")
    var weak = false

    func run() async throws {
        let output = global.output
        let settings = try global.access().settings(isOffline: true)
        if let new = settings.passphrase { try PassphraseRule.check(new, allowsWeak: weak) }
        let passphrase = try secret.read(global, isNew: false)
        let meter = ProgressMeter(output: output, title: "Restoring")
        let tours: [String]
        do {
            tours = try TourNode.restore(
                from: file, passphrase: passphrase, isRetiring: newKeys, settings: settings
            ) { done, total in
                if !output.json { meter.show(total > 0 ? done * 100 / total : 0) }
            }
        } catch let fault as any Fault where fault.code == "passphrase-wrong" {
            throw CommandFailure(
                code: fault.code, message: "the passphrase does not open this backup",
                advice: "Type it again, or look into the file that --backup-passphrase-file, else --passphrase-file, "
                    + "names.")
        }
        if output.json {
            let names = JSON.list(tours.map { .text($0) })
            return try output.object(["dataDirectory": .text(settings.dataDirectory), "tours": names])
        }
        meter.end()
        try output.text(
            "Restored to \(settings.dataDirectory): \(counted(tours.count, "tour")).",
            newKeys
                ? "Join each again with a code: tour-chat join CODE"
                : "Start it near a member: tour-chat run. Until one has answered nothing can be written.")
    }
}

/// The passphrase of a backup.
struct BackupSecret: ParsableArguments {
    @Option(
        name: .customLong("backup-passphrase-file"),
        help: ArgumentHelp(
            "A file with the passphrase of the backup (default: that of --passphrase-file).", valueName: "file"),
        completion: .file())
    var file: String?

    /// - Parameter isNew: a person is asked twice.
    func read(_ global: GlobalOptions, isNew: Bool) throws -> [UInt8] {
        if let file = try file ?? global.access().passphraseFile { return try SecretFile.read(file) }
        guard HiddenLine.isPossible else {
            throw CommandFailure(
                code: "passphrase-needed", message: "the passphrase of the backup is needed",
                advice: "At a terminal it is asked for; elsewhere name a file that holds it, with "
                    + "--backup-passphrase-file.")
        }
        return try isNew
            ? HiddenLine.readNew("Passphrase of the backup") : HiddenLine.read("Passphrase of the backup: ")
    }
}
