import ArgumentParser

/// `--yes`, which a command wants that deletes something for good: without it the command says what would go.
struct DeletionConsent: ParsableArguments {
    @Flag(name: .customLong("yes"), help: "Delete it: the server cannot bring it back.")
    var isGiven = false

    /// Ends the program unless `--yes` was given.
    /// - Parameter extent: what there is, as the beginning of a sentence.
    func require(_ output: AdminOutput, extent: () async throws -> String) async throws {
        guard !isGiven else { return }
        try output.fail(
            code: "confirmation-needed", "\(try await extent()); nothing is deleted yet: add --yes")
    }
}
