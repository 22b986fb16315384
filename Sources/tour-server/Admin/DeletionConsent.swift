import ArgumentParser

/// `--yes`, which a command wants that deletes something for good: without it the command says what would go.
struct DeletionConsent: ParsableArguments {
    @Flag(name: .customLong("yes"), help: "Delete it: the server cannot bring it back.")
    var isGiven = false

    struct Missing: Error {
        let message: String
    }

    /// - Parameter extent: what there is, as the beginning of a sentence.
    /// - Throws: `Missing` unless `--yes` was given.
    func require(extent: () async throws -> String) async throws {
        guard !isGiven else { return }
        throw Missing(message: "\(try await extent()); nothing is deleted yet: add --yes")
    }
}
