import FoundationEssentials
import TourCrypto
import TourModel
import TourStore

/// Lets an open page continue after a restart: the port that it connects to, and the token that it presents
/// there. Kept in the data directory, mode 0600.
package struct PageRecord: Codable, Hashable, Sendable {
    /// Where the page was last served; 0: not known yet.
    package private(set) var port: UInt16
    /// 64 lower-case hex digits.
    package private(set) var token: String

    private static let tokenBytes = 32
    private static let fileBytesMax = 4_096

    /// Makes a new random token.
    /// - Parameter port: 0: not known yet.
    package init(port: UInt16 = 0) {
        self.port = port
        token = Hex.encode(Randomness.bytes(Self.tokenBytes))
    }

    /// The same token with another port.
    package func moved(to port: UInt16) -> PageRecord {
        var record = self
        record.port = port
        return record
    }

    /// - Returns: nil if there is no record, or a damaged one.
    package static func kept(in directory: String) -> PageRecord? {
        let bytes = try? PrivateFile.read(DataDirectory.page(in: directory), limit: fileBytesMax)
        guard let bytes, let record = try? JSONDecoder().decode(PageRecord.self, from: Data(bytes)),
            record.token.utf8.count == 2 * tokenBytes, record.token.utf8.allSatisfy(isLowerCaseHex)
        else { return nil }
        return record
    }

    private static func isLowerCaseHex(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) || (UInt8(ascii: "a")...UInt8(ascii: "f")).contains(byte)
    }

    /// - Throws: `NodeError` when the disk cannot store it.
    package func keep(in directory: String) throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys]
        do {
            let bytes = Array(try encoder.encode(self)) + [0x0A]
            try PrivateFile.replace(DataDirectory.page(in: directory), in: directory, with: bytes)
        } catch {
            throw NodeError(storing: error)
        }
    }
}
