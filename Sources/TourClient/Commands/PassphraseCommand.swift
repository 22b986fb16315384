import ArgumentParser
import TourAPI
import TourJSON
import TourModel
import TourPresentation
import TourWords

/// `passphrase`
struct PassphraseCommand: NodeCommand {
    enum Action: String, ExpressibleByArgument, CaseIterable, Sendable {
        case set, change, remove, keyring
    }

    static let configuration = CommandConfiguration(
        commandName: "passphrase",
        abstract: Phrase("Choose how data here is protected: by a passphrase, by your keyring, or not at all."),
        discussion: Phrase(
            """
            Without a passphrase, anyone with this device can read everything. With one, a node asks for it when it \
            starts, or takes it from --passphrase-file. Nobody can get at the data without it: it is nowhere else. \
            On a terminal it is asked for; in scripts --passphrase-file names the present one and \
            --new-passphrase-file the one to come. 'keyring' gives the key to the keyring of your session instead \
            (Secret Service: GNOME Keyring, KWallet, KeePassXC), which opens when you log in; a first start does so \
            by itself where one is open. Works beside a running node and without one.

            The key that seals the data stays the same through all of these, so an older backup, or a copy of the \
            key, still opens the directory as it is now. With --new-key everything is sealed under a new key and \
            the old one is destroyed: what has the old one opens nothing of this directory any more. A node waits \
            meanwhile. With --json: lines {"event":"progress",…}, the last one {"event":"done",…}.

            EXAMPLES
              tour-chat passphrase set
              tour-chat passphrase set --new-key
              tour-chat passphrase change --passphrase-file old --new-passphrase-file new
              tour-chat passphrase change --new-key
              tour-chat passphrase remove
              tour-chat passphrase keyring
            """))

    @OptionGroup var global: GlobalOptions
    @Argument(help: ArgumentHelp(Phrase("set, change, remove or keyring.")))
    var action: Action
    @Option(help: ArgumentHelp(Phrase("A file with the passphrase to come."), valueName: "file"), completion: .file())
    var newPassphraseFile: String?
    @Flag(help: ArgumentHelp(Phrase("Take a new passphrase of fewer than 8 characters too.")))
    var weak = false
    @Flag(help: ArgumentHelp(Phrase("Seal everything under a new key: the old one opens nothing here any more.")))
    var newKey = false

    func perform(_ client: LocalClient, _ output: Output) async throws {
        let home = try await client.status().storageKey
        try check(home)
        var new: [UInt8]?
        try await global.withPassphrase(Phrase("Present passphrase"), isNeeded: home == "passphrase") {
            current in
            if action == .set || action == .change { new = try new ?? checkedPassphrase() }
            let wanted: JSON = [
                "current": .passphrase(current), "new": .passphrase(new), "keyring": .flag(action == .keyring),
            ]
            if newKey { return try await renew(wanted, client, output) }
            let answer = try await client.call(.PUT, LocalPath.make(["passphrase"]), wanted)
            if output.json { try output.object(answer) }
        }
        if output.json { return }
        switch action {
        case .set where newKey: try output.text(Phrase("Sealed. The next start of a node wants the passphrase."))
        case .set:
            try output.text(
                Phrase("Sealed. The next start of a node wants the passphrase."),
                Phrase(
                    "Copies that were made of this directory before, and flash memory, may still hold the key in clear."
                ))
        case .change: try output.text(Phrase("Changed."))
        case .remove: try output.text(Phrase("Removed: anyone with this device can read everything."))
        case .keyring: try output.text(Phrase("The key is in the keyring of your session now."))
        }
        guard newKey else { return }
        try output.text(
            Phrase(
                "The key is new: the old one, in older backups and copies, opens nothing of this directory any more."))
    }

    /// Has everything sealed under a new key, and shows the progress.
    private func renew(_ wanted: JSON, _ client: LocalClient, _ output: Output) async throws {
        let meter = ProgressMeter(output: output, title: Phrase("Sealing anew"))
        let last: KeyStep = try await client.report(LocalPath.make(["passphrase"]), sending: wanted, output) {
            meter.show($0.percent)
        }
        guard last.event == .done else { throw CommandFailure.nodeGone }
        if !output.json { meter.end() }
    }

    private func check(_ home: String) throws(CommandFailure) {
        switch action {
        case .set where home == "passphrase":
            throw CommandFailure(
                code: "passphrase-set", message: Phrase("there is a passphrase already: 'tour-chat passphrase change'"))
        case .change where home != "passphrase", .remove where home == "file":
            throw CommandFailure(
                code: "no-passphrase", message: Phrase("there is no passphrase yet: 'tour-chat passphrase set'"),
                advice: .setPassphrase)
        case .keyring where home == "keyring" && !newKey:
            throw CommandFailure(
                code: "keyring-set", message: Phrase("the key is in the keyring of your session already"))
        case .set, .change, .remove, .keyring: break
        }
    }

    private func checkedPassphrase() throws -> [UInt8] {
        let new = try newPassphrase()
        try PassphraseRule.check(new, allowsWeak: weak)
        return new
    }

    private func newPassphrase() throws(CommandFailure) -> [UInt8] {
        if let newPassphraseFile { return try SecretFile.read(newPassphraseFile) }
        guard HiddenLine.isPossible else {
            throw CommandFailure(
                code: "new-passphrase-missing", message: Phrase("name a file with the new one: --new-passphrase-file"))
        }
        return try HiddenLine.readNew(Phrase("New passphrase"))
    }
}

extension JSON {
    /// Any bytes, in the form that the local API takes.
    static func passphrase(_ bytes: [UInt8]?) -> JSON { bytes.map { .text(Hex.encode($0)) } ?? .null }
}

extension GlobalOptions {
    /// Does the work with the present passphrase of the data directory, from its file or from the user; with nil
    /// where none is needed.
    /// - Throws: also when there is neither.
    func withPassphrase<Result>(
        _ question: Phrase, isNeeded: Bool, _ work: ([UInt8]?) async throws -> Result
    ) async throws -> Result {
        guard isNeeded else { return try await work(nil) }
        if let file = try access().passphraseFile { return try await work(try SecretFile.read(file)) }
        guard HiddenLine.isPossible else {
            throw CommandFailure(
                code: "passphrase-needed", message: Phrase("the passphrase is needed"), advice: .givePassphrase)
        }
        return try await PassphraseTries.run(ask: { try HiddenLine.read(question) }) { try await work($0) }
    }
}
