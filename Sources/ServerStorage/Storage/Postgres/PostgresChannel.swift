import TourCrypto
import TourModel

/// The channel on which the processes that serve from one schema tell each other what was committed.
package enum PostgresChannel {
    /// The longest name that PostgreSQL takes, in bytes: LISTEN cuts a longer one short, and NOTIFY refuses it.
    /// Source: PostgreSQL 15, "Identifiers and Key Words".
    package static let bytesMax = 63

    /// `tour_server_SCHEMA`; where that is too long, 32 digits of the schema's BLAKE2b-256 in its place.
    package static func name(ofSchema schema: String) -> String {
        let name = start + schema
        guard name.utf8.count > bytesMax else { return name }
        var bytes: [UInt8]? = Array(schema.utf8)
        let hash = ContentHash.of {
            defer { bytes = nil }
            return bytes
        }
        return start + Hex.encode(hash.bytes.prefix(16))
    }

    private static let start = "tour_server_"
}
