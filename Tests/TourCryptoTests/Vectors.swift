import Foundation
import Testing
import TourModel

/// The published vectors of `Protocol/Vectors`, found from this file's place in the repository.
enum Vectors {
    /// One case: fields by name, as text, numbers and lists.
    struct Case {
        let fields: [String: Any]

        func text(_ name: String) throws -> String { try #require(fields[name] as? String, "\(name)") }
        func number(_ name: String) throws -> Int { try #require(fields[name] as? Int, "\(name)") }
        func bytes(_ name: String) throws -> [UInt8] { try #require(Hex.decode(try text(name)), "\(name)") }
        func isValid() throws -> Bool { try #require(fields["valid"] as? Bool) }
    }

    /// All cases of a file; a file without any fails the test.
    static func cases(_ file: String, list: String = "cases") throws -> [Case] {
        let folder = URL(fileURLWithPath: #filePath)
            .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
            .appendingPathComponent("Protocol/Vectors")
        let data = try Data(contentsOf: folder.appendingPathComponent(file))
        let document = try #require(try JSONSerialization.jsonObject(with: data) as? [String: Any])
        let cases = try #require(document[list] as? [[String: Any]])
        try #require(!cases.isEmpty, "\(file) holds no vectors")
        return cases.map(Case.init(fields:))
    }
}
