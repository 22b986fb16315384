import Foundation
import ServerRequests

/// Everything the server stores of an account, by holding.
struct AccountExport: Sendable {
    let account: Account
    let exportedAt: Date
    let holdings: [any AccountHolding]

    /// Writes the keys in alphabetical order, as all JSON of this API.
    func write(from source: ExportSource, to out: inout PieceWriter) async throws {
        try await out.write(#"{"account":"#)
        try await out.write(AccountBody(account))
        try await out.write(#","exported_at":"#)
        try await out.write(exportedAt)
        for holding in holdings.sorted(by: { $0.name < $1.name }) {
            try await out.write(",\"\(holding.name)\":")
            try await holding.export(of: account, from: source, to: &out)
        }
        try await out.write("}")
    }
}
