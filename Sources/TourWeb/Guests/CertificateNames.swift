/// The DNS names of a certificate, and the one that links have. Source: RFC 6125.
package struct CertificateNames: Equatable, Sendable {
    /// In lower case, in the certificate's order, those with a wildcard too.
    package let all: [String]

    /// - Parameter names: as the certificate has them.
    package init(_ names: [String]) { all = names.map { $0.lowercased() }.filter(Self.isName) }

    /// The name in links.
    /// - Parameter wanted: what the user asks for; nil: the first name that is no wildcard.
    package func chosen(_ wanted: String?) throws(CertificateFault) -> String {
        guard !all.isEmpty else { throw .noName(wildcards: []) }
        if let wanted = wanted?.lowercased() {
            guard Self.isName(wanted), !wanted.hasPrefix("*"), covers(wanted) else {
                throw .otherName(wanted, known: all)
            }
            return wanted
        }
        guard let first = all.first(where: { !$0.hasPrefix("*") }) else { throw .noName(wildcards: all) }
        return first
    }

    /// Whether a browser takes the certificate for that of this host. A wildcard stands for one label.
    package func covers(_ host: some StringProtocol) -> Bool {
        let host = host.lowercased()
        let behind = host.drop { $0 != "." }
        let hasLabel = !behind.isEmpty && behind.count < host.count
        return all.contains { $0 == host || hasLabel && $0.first == "*" && $0.dropFirst() == behind }
    }

    /// Whether a link can have it, or its wildcard: what else a certificate may hold does not reach one.
    private static func isName(_ name: String) -> Bool {
        let bare = name.hasPrefix("*.") ? name.dropFirst(2) : name[...]
        let labels = bare.split(separator: ".", omittingEmptySubsequences: false)
        return labels.count > 1 && bare.utf8.count <= 253
            && labels.allSatisfy { label in
                !label.isEmpty && label.utf8.count <= 63
                    && label.utf8.allSatisfy {
                        ($0 | 0x20) >= UInt8(ascii: "a") && ($0 | 0x20) <= UInt8(ascii: "z")
                            || $0 >= UInt8(ascii: "0") && $0 <= UInt8(ascii: "9") || $0 == UInt8(ascii: "-")
                    }
            }
    }
}
