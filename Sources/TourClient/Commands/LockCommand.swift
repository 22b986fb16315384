import ArgumentParser
import TourJSON
import TourWords

/// `lock`
struct LockCommand: NodeCommand {
    static let configuration = CommandConfiguration(
        commandName: "lock",
        abstract: Phrase("Make the running node forget its key, until the passphrase is given again."),
        discussion: Phrase(
            """
            Links end, nothing is received or sent, and nothing can be read until 'tour-chat unlock'. It wants a \
            passphrase to have been set ('tour-chat passphrase set').

            EXAMPLES
              tour-chat lock
            """))

    @OptionGroup var global: GlobalOptions

    var absence: NodeAccess.Absence { .refuse }

    func perform(_ client: LocalClient, _ output: Output) async throws {
        let answer = try await client.call(.POST, LocalPath.make(["lock"]))
        try output.done(answer, Phrase("Locked. 'tour-chat unlock' goes on."))
    }
}

/// `unlock`
struct UnlockCommand: NodeCommand {
    static let configuration = CommandConfiguration(
        commandName: "unlock",
        abstract: Phrase("Give a locked node its passphrase."),
        discussion: Phrase(
            """
            EXAMPLES
              tour-chat unlock
              tour-chat unlock --passphrase-file FILE
            """))

    @OptionGroup var global: GlobalOptions

    var absence: NodeAccess.Absence { .refuse }

    func perform(_ client: LocalClient, _ output: Output) async throws {
        // A key in the session's keyring needs no passphrase.
        let isSealed = try global.access().bareHome.needsPassphrase
        let answer = try await global.withPassphrase(Phrase("Passphrase"), isNeeded: isSealed) { passphrase in
            try await client.call(.POST, LocalPath.make(["unlock"]), ["passphrase": .passphrase(passphrase)])
        }
        try output.done(answer, Phrase("Unlocked."))
    }
}
