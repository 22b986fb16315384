/// Why TLS cannot be offered.
package enum StunnelFault: Error, Hashable, Sendable, CustomStringConvertible {
    /// It is not installed.
    case missing
    /// It ended as soon as it was started, or could not be started, for this reason.
    case notStarted(String)

    package var description: String {
        switch self {
        case .missing: "https needs stunnel, which is not installed: apt install stunnel4"
        case .notStarted(let cause): "stunnel, which does TLS, does not run: \(cause)"
        }
    }
}
