import ArgumentParser
import Glibc
import TourAPI
import TourJSON
import TourWords

/// `setup`
struct SetupCommand: NodeCommand {
    static let configuration = CommandConfiguration(
        commandName: "setup",
        abstract: Phrase("Name this device and let it join, as a file says."),
        discussion: Phrase(
            """
            For a device without a screen, which finds the file on its boot partition as tour-chat.toml. It \
            joins with the code, however long it takes until a member is in reach, and the code is wiped from the \
            file. Without FILE it is standard input, opened for reading and writing.

            EXAMPLES
              tour-chat setup /boot/firmware/tour-chat.toml

            THE FILE
              name = "Bus 1"
              code = "ABCD-EFGH-…"
              role = "bridge"
            """))

    /// Trying again does not help. Source: sysexits.h, EX_CONFIG.
    private static let badFile = ExitCode(78)

    @OptionGroup var global: GlobalOptions
    @Argument(help: ArgumentHelp(Phrase("The file with the settings."), valueName: "file"), completion: .file())
    var file: String?

    var absence: NodeAccess.Absence { .refuse }

    func perform(_ client: LocalClient, _ output: Output) async throws {
        let storage = try SetupStorage(path: file)
        defer { storage.close() }
        let bytes = try storage.read()
        let setup: SetupFile
        do {
            setup = try SetupFile(bytes)
        } catch {
            try report(error.phrase(on: TerminalSurface()))
            throw Self.badFile
        }
        for remark in setup.remarks { try report(remark.phrase) }
        let status = try await client.status()
        let name = try await name(as: setup, status, client)
        let tour = try await join(as: setup, name, client)
        if tour != nil {
            try storage.wipe(setup, asRead: bytes)
            try report(Phrase("The code is wiped from the file."))
        } else if status.tourID == nil {
            try report(
                Phrase(
                    """
                    The file has no code. With code = "…" in it, from 'tour-chat tour invite', this device joins.
                    """))
        }
        // Standard output may be the settings file itself.
        guard output.json, !storage.isOutput else { return }
        try output.object(["name": .text(name), "joined": tour.map { .text($0) } ?? .null])
    }

    /// Gives the node its name, unless the user has changed that since the setup.
    private func name(as setup: SetupFile, _ status: Status, _ client: LocalClient) async throws -> String {
        let known = status.name
        let isNew = setup.code != nil || status.tourID == nil
        let wanted = setup.name ?? (setup.role == .bridge ? Phrase("Bridge").text : nil)
        guard isNew, let wanted, wanted != known else { return known }
        let new = try NodeName(answer: await client.setName(wanted)).name
        try report(Phrase("This device is called \(TerminalText.safe(new))."))
        return new
    }

    /// - Returns: the tour's name; nil: there is no code.
    private func join(as setup: SetupFile, _ name: String, _ client: LocalClient) async throws -> String? {
        guard let code = setup.code else { return nil }
        try report(Phrase("Looking for a member of the tour …"))
        do {
            let answer = try await JoinCommand.ask(
                client, ["code": .text(code), "name": .text(name)], isQuiet: global.json)
            let tour = try JoinedTour(answer: answer).name
            try report(Phrase("You have joined \(TerminalText.safe(tour))."))
            return tour
        } catch let failure as CommandFailure where failure.code == "already-member" {
            try report(Phrase("This device is in that tour already."))
            return ""
        } catch let failure as CommandFailure where Self.isFinal(failure) {
            try report(failure.message)
            if let advice = failure.advice { try report(advice) }
            try report(Phrase("Correct the code in the file, and start this device again."))
            throw Self.badFile
        }
    }

    /// Whether the same code would be refused at every try.
    private static func isFinal(_ failure: CommandFailure) -> Bool {
        ["code-", "revoked", "expired", "used-up", "closed", "full", "invalid"].contains { failure.code.hasPrefix($0) }
    }

    private func report(_ words: Phrase) throws { try StandardStream.error.line(words) }
}
