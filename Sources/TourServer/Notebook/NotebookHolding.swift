import Foundation
import TourNotebook

/// The notebook of an account, with its name in it and its files.
struct NotebookHolding: AccountHolding {
    let name = "notebook"

    private struct Export: Encodable, Sendable {
        let profileID: NotebookID?
        let items: [NotebookKind: [NotebookItem]]
        let files: [File]

        private struct Key: CodingKey {
            let stringValue: String
            var intValue: Int? { nil }
            init(_ text: String) { stringValue = text }
            init?(stringValue: String) { self.stringValue = stringValue }
            init?(intValue: Int) { nil }
        }

        func encode(to encoder: any Encoder) throws {
            var fields = encoder.container(keyedBy: Key.self)
            try fields.encodeIfPresent(profileID, forKey: Key("profile_id"))
            try fields.encode(files, forKey: Key("files"))
            for (kind, list) in items { try fields.encode(list, forKey: Key(kind.rawValue)) }
        }
    }

    /// Its bytes are at `url`.
    private struct File: Encodable, Sendable {
        let url: String
        let name: String
        let media: String
        let bytes: Int64
    }

    func export(of account: Account, in sql: any SQL) throws(Failure) -> any Encodable & Sendable {
        var items: [NotebookKind: [NotebookItem]] = [:]
        for kind in NotebookKind.allCases {
            items[kind] = try sql.notebookItems(kind, of: account.id).map(\.item)
        }
        var files = [File]()
        let statement =
            "SELECT id, name, media, bytes FROM notebook_files WHERE account = $1 AND state = $2 ORDER BY id"
        let whole = NotebookFile.State.whole.rawValue
        for row in try sql.rows(statement, [.integer(account.id), .integer(whole)]) {
            guard let id = NotebookID(try row.bytes(0)) else { continue }
            files.append(
                File(
                    url: FileAddress(id).path, name: try row.text(1), media: try row.text(2), bytes: try row.integer(3))
            )
        }
        return Export(profileID: try sql.knownProfileID(of: account.id), items: items, files: files)
    }

    func delete(of account: Account, in sql: any SQL) throws(Failure) {
        try sql.run("DELETE FROM notebook WHERE account = $1", [.integer(account.id)])
        try sql.run("DELETE FROM notebook_uses WHERE account = $1", [.integer(account.id)])
        try sql.run("DELETE FROM notebook_accounts WHERE account = $1", [.integer(account.id)])
        try sql.run("DELETE FROM profiles WHERE account = $1", [.integer(account.id)])
        try sql.dropFiles(of: account.id)
    }
}
