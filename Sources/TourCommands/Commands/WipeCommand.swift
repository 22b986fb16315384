import ArgumentParser
import TourClient
import TourJSON
import TourNode
import TourWords

/// `wipe`
struct WipeCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "wipe",
        abstract: Phrase("Destroy everything that is kept here: the key first, then the rest."),
        discussion: Phrase(
            """
            Tours, messages and keys of this device are gone for good, also from a running node, which ends. Others \
            keep what they have; backups stay where they are. No passphrase is asked for. On flash memory what counts \
            is that the key is gone; where it lay in a plain file, old copies of it may be left in the memory. Asks \
            first when at a terminal; elsewhere it wants --yes.

            EXAMPLES
              tour-chat wipe
              tour-chat wipe --yes
            """))

    @OptionGroup var global: GlobalOptions
    @OptionGroup var consent: Consent

    func validate() throws {
        try consent.require(json: global.json, because: Phrase("What is destroyed does not come back"))
    }

    func run() async throws {
        let output = global.output
        let access = try global.access()
        let directory = access.dataDirectory
        try access.requireNode()
        let question = Phrase("Destroy all tours, messages and keys in \(directory)?")
        guard try consent.covers(question, output) else { return }
        if try NodeSocket.isAnswering(dataDirectory: directory) {
            _ = try await LocalClient(dataDirectory: directory).call(.POST, LocalPath.make(["wipe"]))
        } else {
            let locked = try LockedDirectory(path: directory)
            try locked.destroyKey()
            try locked.removeFiles()
        }
        if output.json { return try output.object(["wiped": .text(directory)]) }
        try output.text(Phrase("Everything in \(directory) is destroyed."))
    }
}
