import ArgumentParser
import TourAPI
import TourJSON
import TourModel
import TourPresentation
import TourWords

/// `backup`
struct BackupCommand: NodeCommand {
    static let configuration = CommandConfiguration(
        commandName: "backup",
        abstract: Phrase("Write everything that is kept here to one sealed file."),
        discussion: Phrase(
            """
            Tours, messages and keys, sealed under a passphrase: --backup-passphrase-file, else --passphrase-file, \
            else it is asked for. Files and pictures are left out: they come again from whoever has them. A running \
            node goes on meanwhile. The file takes its name when it is whole; one that is there already is replaced \
            with --force only. With --json: lines {"event":"progress",…}, the last one {"event":"done",…}.

            EXAMPLES
              tour-chat backup trip.backup
              tour-chat backup /media/stick/trip.backup --backup-passphrase-file FILE
            """))

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

/// The passphrase of a backup.
package struct BackupSecret: ParsableArguments {
    @Option(
        name: .customLong("backup-passphrase-file"),
        help: ArgumentHelp(
            Phrase("A file with the passphrase of the backup (default: that of --passphrase-file)."),
            valueName: "file"),
        completion: .file())
    var file: String?

    package init() {}

    /// The passphrase for a new backup; the user is asked twice.
    func readNew(_ global: GlobalOptions) throws -> [UInt8] {
        if let given = try given(global) { return given }
        return try HiddenLine.readNew(Phrase("Passphrase of the backup"))
    }

    /// Does the work with the passphrase of an existing backup.
    package func use<Result>(_ global: GlobalOptions, _ work: ([UInt8]) async throws -> Result) async throws -> Result {
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
