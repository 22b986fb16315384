import Foundation
import ServerBase
import ServerRequests
import ServerStorage
import TourModel

/// The form in which passwords were stored before they became PHC strings: the same hash, written in another way.
enum OlderPassword {
    /// Writes the password of every account anew.
    static func rewriteAll(in sql: any SQL) throws(Failure) {
        for row in try sql.rows("SELECT id, password FROM accounts WHERE password IS NOT NULL", []) {
            guard let rewritten = rewritten(try row.text(1)) else { continue }
            try AccountRows(sql: sql).setPassword(rewritten, of: try row.integer(0))
        }
    }

    /// - Parameter stored: `argon2id$PASSES$BYTES$SALT$HASH`, the last two as hexadecimal digits.
    /// - Returns: nil for any other text, which stays as it is.
    static func rewritten(_ stored: String) -> String? {
        let parts = stored.split(separator: "$", omittingEmptySubsequences: false).map(String.init)
        guard parts.count == 5, parts[0] == "argon2id", let passes = UInt64(parts[1]), let memory = Int(parts[2]),
            memory.isMultiple(of: 1024), let salt = Hex.decode(parts[3]), let hash = Hex.decode(parts[4])
        else { return nil }
        return "$argon2id$v=19$m=\(memory / 1024),t=\(passes),p=1$\(base64(salt))$\(base64(hash))"
    }

    /// Without padding. Source: the PHC string format, "B64 encoding".
    private static func base64(_ bytes: [UInt8]) -> String {
        Data(bytes).base64EncodedString().replacing("=", with: "")
    }
}
