import ArgumentParser
import TourAPI
import TourJSON
import TourModel
import TourNode
import TourPresentation
import TourWords

/// `backup`
struct BackupCommand: NodeCommand {
    static let configuration = CommandConfiguration(
        commandName: "backup",
        abstract: Phrase("Write everything that is kept here to one sealed file.").text,
        discussion: Phrase(
            """
            Tours, messages and keys, sealed under a passphrase: --backup-passphrase-file, else --passphrase-file, \
            else it is asked for. Files and pictures are left out: they come again from whoever has them. A running \
            node goes on meanwhile. The file takes its name when it is whole; one that is there already is replaced \
            with --force only. With --json: lines {"event":"progress",…}, the last one {"event":"done",…}.

            EXAMPLES
              tour-chat backup trip.backup
              tour-chat backup /media/stick/trip.backup --backup-passphrase-file FILE
            """
        ).text)

    @OptionGroup var global: GlobalOptions
    @Argument(help: ArgumentHelp(Phrase("The file to write.")), completion: .file())
    var file: String
    @OptionGroup var replacing: Replacing
    @OptionGroup var secret: BackupSecret
    @Flag(help: ArgumentHelp(Phrase("Take a passphrase of fewer than 8 characters too.")))
    var weak = false

    func perform(_ client: LocalClient, _ output: Output) async throws {
        try NewFile.check(file, mayReplace: replacing.force)
        let passphrase = try secret.readNew(global)
        try PassphraseRule.check(passphrase, allowsWeak: weak)
        let request: JSON = ["path": .text(try AbsolutePath.of(file)), "passphrase": .passphrase(passphrase)]
        let meter = ProgressMeter(output: output, title: Phrase("Backing up"))
        let last: BackupStep = try await client.report(LocalPath.make(["backup"]), sending: request, output) {
            meter.show($0.percent)
        }
        guard last.event == .done else { throw CommandFailure.nodeGone }
        guard !output.json else { return }
        meter.end()
        try output.text(Phrase("Written to \(file). Keep the passphrase: without it the file is of no use."))
    }
}

/// `restore`
struct RestoreCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "restore",
        abstract: Phrase("Restore a backup, into an empty data directory.").text,
        discussion: Phrase(
            """
            The new directory is sealed under --passphrase-file, else under a passphrase that is asked for at a \
            terminal, else the key goes to the keyring of the session where one is open; if there is none of these, \
            it lies in a plain file.

            What was written after the backup comes back from the others, and so do files and pictures: until one of \
            them is in reach the node reads and receives, and writes nothing, so that no message takes another one's \
            place. 'tour-chat doctor' \
            shows it. If the old device still writes, or nobody has what it wrote last, take --new-keys: you then join \
            each tour again with a code, and keep what was written.

            EXAMPLES
              tour-chat restore trip.backup
              tour-chat restore trip.backup --data-dir NEW --backup-passphrase-file FILE
              tour-chat restore trip.backup --new-keys
            """
        ).text)

    @OptionGroup var global: GlobalOptions
    @Argument(help: ArgumentHelp(Phrase("The backup.")), completion: .file())
    var file: String
    @OptionGroup var secret: BackupSecret
    @Flag(help: ArgumentHelp(Phrase("Give up the keys in the backup: join again with codes.")))
    var newKeys = false
    @Flag(help: ArgumentHelp(Phrase("Seal the new directory under a passphrase of fewer than 8 characters too.")))
    var weak = false

    func run() async throws {
        let output = global.output
        var settings = try global.access().settings(isOffline: true)
        try settings.checkEmpty()
        try settings.checkPassphrase(allowsWeak: weak)
        var isAsked = false
        let restored = try await secret.use(global) { passphrase in
            if !settings.hasPassphrase, !isAsked, !output.json, HiddenLine.isPossible {
                isAsked = true
                settings.setPassphrase(
                    try HiddenLine.readNewOrNone(Phrase("Passphrase that is to seal it here (Enter: none)")))
            }
            return try restore(passphrase, settings, output)
        }
        if output.json {
            return try output.object([
                "dataDirectory": .text(settings.dataDirectory), "tours": .list(restored.tours.map { .text($0) }),
                "storageKey": .text(restored.storageKey),
            ])
        }
        let (directory, count) = (settings.dataDirectory, restored.tours.count)
        try output.text(
            Phrase(
                count, one: "Restored to \(directory): \(count) tour.",
                other: "Restored to \(directory): \(count) tours."),
            newKeys
                ? Phrase("Join each again with a code: tour-chat join CODE")
                : Phrase("Start it near a member: tour-chat run. Until one has answered nothing can be written."))
        guard restored.storageKey == "file" else { return }
        try StandardStream.error.line(
            Phrase(
                """
                Data here is not protected by a passphrase: anyone with this device can read everything. \
                'tour-chat passphrase set' protects it.
                """))
    }

    private func restore(
        _ passphrase: [UInt8], _ settings: NodeSettings, _ output: Output
    ) throws -> TourNode.Restored {
        let meter = ProgressMeter(output: output, title: Phrase("Restoring"))
        defer { meter.end() }
        return try TourNode.restore(
            from: file, passphrase: passphrase, isRetiring: newKeys, settings: settings
        ) { done, total in
            if !output.json { meter.show(total > 0 ? done * 100 / total : 0) }
        }
    }
}

/// The passphrase of a backup.
struct BackupSecret: ParsableArguments {
    @Option(
        name: .customLong("backup-passphrase-file"),
        help: ArgumentHelp(
            Phrase("A file with the passphrase of the backup (default: that of --passphrase-file)."),
            valueName: "file"),
        completion: .file())
    var file: String?

    /// The passphrase for a new backup; the user is asked twice.
    func readNew(_ global: GlobalOptions) throws -> [UInt8] {
        if let given = try given(global) { return given }
        return try HiddenLine.readNew(Phrase("Passphrase of the backup"))
    }

    /// Does the work with the passphrase of an existing backup.
    func use<Result>(_ global: GlobalOptions, _ work: ([UInt8]) async throws -> Result) async throws -> Result {
        if let given = try given(global) { return try await work(given) }
        return try await PassphraseTries.run(
            ask: { try HiddenLine.read(Phrase("Passphrase of the backup")) }, { try await work($0) })
    }

    /// - Returns: nil when the user is to be asked.
    private func given(_ global: GlobalOptions) throws -> [UInt8]? {
        if let file = try file ?? global.access().passphraseFile { return try SecretFile.read(file) }
        guard HiddenLine.isPossible else {
            throw CommandFailure(
                code: "passphrase-needed", message: Phrase("the passphrase of the backup is needed"),
                advice: .giveBackupPassphrase)
        }
        return nil
    }
}
