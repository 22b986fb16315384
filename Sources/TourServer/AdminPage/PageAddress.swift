import Glibc
import Logging
import ServerBase
import ServerStorage

/// The address of the operator's page, which a server writes into its data directory so that a command finds it. Of
/// several servers of one directory it is that of the last to start: a link opens the page of each.
package struct PageAddress: Sendable {
    private static let fileName = "admin-page"
    private static let bytesMax = 1_024

    /// `http://127.0.0.1:9465`: without a path.
    let text: String

    /// - Parameter port: the port that the page's listener has.
    init(_ page: ServerSettings.AdminPage, port: Int) {
        let host = page.listener.host
        text = page.url ?? "http://\(host.contains(":") ? "[\(host)]" : host):\(port)"
    }

    /// A server that cannot write it serves all the same.
    func write(in directory: ServerDirectory, logger: Logger) {
        do throws(Failure) {
            try directory.replace(Self.fileName, with: Array((text + Self.mark).utf8))
        } catch {
            logger.error("'tour-server admin page' will not find this server", metadata: ["cause": "\(error)"])
        }
    }

    /// - Returns: nil where no server runs that has the page.
    static func written(in directory: ServerDirectory) throws(Failure) -> String? {
        guard let bytes = try directory.read(fileName, bytesMax: bytesMax) else { return nil }
        return String(String(decoding: bytes, as: UTF8.self).prefix { $0 != " " })
    }

    /// For a server that ends: its port may be another program's next, which is to get no link. What another process
    /// has written since stays.
    static func forget(in directory: ServerDirectory) {
        let bytes = (try? directory.read(fileName, bytesMax: bytesMax)) ?? nil
        guard let bytes, String(decoding: bytes, as: UTF8.self).hasSuffix(mark) else { return }
        try? directory.remove(fileName)
    }

    /// Which process wrote it.
    private static var mark: String { " \(getpid())\n" }

    /// Whether a host, without brackets and port, can only be this machine: no name that somebody else could have lead
    /// here.
    /// Source: RFC 6761, section 6.3; RFC 6890.
    static func isThisMachine(_ host: String) -> Bool {
        if host.lowercased() == "localhost" || host == "::1" { return true }
        guard !host.contains("/"), let address = IPNetwork(host) else { return false }
        return address.bytes.count == 4 && address.bytes[0] == 127
    }
}
