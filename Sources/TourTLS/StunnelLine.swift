/// A line of stunnel's log: `2026.11.28 22:39:26 LOG5[ui]: Configuration successful`, or `[!] Words` before its log
/// begins.
package struct StunnelLine: Equatable, Sendable {
    /// Whether it complains.
    package let isComplaint: Bool
    /// Whether it is about one connection, which is some stranger's.
    package let isOfConnection: Bool
    /// What it says, without time, level and origin.
    package let words: String

    /// Any line is one: what is no line of the log complains where it begins with `[!]`.
    package init(_ line: some StringProtocol) {
        if let match = String(line).prefixMatch(of: #/\S+ \S+ LOG(?<level>[0-7])\[(?<about>[^\]]*)\]: /#) {
            words = String(String(line)[match.range.upperBound...])
            // Error, or worse. It needs no authorities, since it asks for no client's certificate.
            isComplaint = (Int(match.level) ?? 7) <= 3 && words != "No trusted certificates found"
            isOfConnection = !match.about.isEmpty && match.about.allSatisfy(\.isNumber)
        } else {
            words = String(line.drop { $0 == "[" }.drop { $0 != "]" }.dropFirst().drop { $0 == " " })
            isComplaint = line.hasPrefix("[!]")
            isOfConnection = false
        }
    }

    /// Its settings and the certificate are read.
    var isSuccess: Bool { words == "Configuration successful" }
    /// They are not, and those before stay.
    var isFailedReload: Bool { words == "Failed to reload the configuration file" }
}
