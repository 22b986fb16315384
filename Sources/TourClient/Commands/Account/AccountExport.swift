import ArgumentParser
import TourJSON
import TourWords

/// `account export`
struct AccountExport: OnlineCommand {
    static let configuration = CommandConfiguration(
        commandName: "export",
        abstract: Phrase("Save all that the server has of the account and can read, as a tar archive."))

    @OptionGroup var global: GlobalOptions
    @OptionGroup var owner: OwnerOptions
    @Argument(help: ArgumentHelp(Phrase("The archive to write. It is not sealed."), valueName: "file"))
    var file: String
    @OptionGroup var replacing: Replacing

    func perform(_ client: LocalClient, _ output: Output) async throws {
        try NewFile.check(file, mayReplace: replacing.force)
        let proof = try owner.proof(of: try await client.ask(.GET, AccountCommand.path()))
        let line = StatusLine(output: output)
        var (end, manifest) = (TarEnd(), ArrivingManifest())
        try await ExportTarget.fill(file) { target in
            defer { line.end() }
            try await client.stream(AccountCommand.path("export"), .POST, .object(proof)) { piece in
                try target.write(piece)
                end.add(piece)
                manifest.add(piece)
                line.show(ByteCount.shown(end.bytes).text)
            }
            guard end.isThere else { throw CommandFailure.badAnswer }
        }
        let missing = manifest.missing ?? []
        try output.done(
            ["path": .text(file), "bytes": .number(String(end.bytes)), "missing": .list(missing.map { .text($0) })],
            Phrase("All that the server has of the account and can read is in \(file)."))
        for path in missing where !output.json {
            try output.aside(Phrase("The server has lost a file of the account: \(output.foreign(path))"))
        }
    }
}

/// Whether bytes that arrive in pieces end as a tar archive does: with two blocks of zeros.
/// Source: POSIX.1-2024, pax, "ustar Interchange Format".
package struct TarEnd: Sendable {
    private static let blockBytes: UInt64 = 512
    /// How many bytes there were.
    package private(set) var bytes: UInt64 = 0
    private var zeros: UInt64 = 0

    /// Before the first byte.
    package init() {}

    /// Takes in the next bytes.
    package mutating func add(_ piece: [UInt8]) {
        let last = piece.reversed().prefix { $0 == 0 }.count
        zeros = last == piece.count ? zeros + UInt64(last) : UInt64(last)
        bytes += UInt64(piece.count)
    }

    /// Whether the bytes so far are a whole archive, and not an empty one.
    package var isThere: Bool {
        bytes % Self.blockBytes == 0 && zeros >= 2 * Self.blockBytes && zeros < bytes
    }
}
