import ArgumentParser
import TourClient
import TourJSON
import TourNode
import TourWords

/// `restore`
struct RestoreCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "restore",
        abstract: Phrase("Restore a backup, into an empty data directory."),
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
            """))

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
        var settings = try global.access().home(NodeSettings.self, isOffline: true)
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
