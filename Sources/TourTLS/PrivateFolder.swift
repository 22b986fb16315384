import Foundation
import Glibc

/// A folder of this program's own, for as long as it runs: nobody else may enter it.
struct PrivateFolder: Sendable {
    let path: String

    /// The longest path of a Unix socket.
    private static let socketPathMax = 107
    private static let pattern = "tour-tls-XXXXXX"

    /// Where sockets of a user belong, and where everybody may make a folder.
    /// - Throws: why it cannot be made.
    init(holding name: String, environment: [String: String]) throws(StunnelFault) {
        let places = [environment["XDG_RUNTIME_DIR"], environment["TMPDIR"], "/tmp"].compactMap(\.self)
        for place in places where place.hasPrefix("/") {
            let wanted = "\(place)/\(Self.pattern)"
            guard "\(wanted)/\(name)".utf8.count <= Self.socketPathMax else { continue }
            var bytes = Array(wanted.utf8CString)
            // Its mode is 0700.
            guard mkdtemp(&bytes) != nil else { continue }
            path = String(decoding: bytes.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
            return
        }
        throw .notStarted("no folder for its socket can be made in \(places.joined(separator: " or "))")
    }

    func file(_ name: String) -> String { "\(path)/\(name)" }

    func remove() { try? FileManager.default.removeItem(atPath: path) }
}
