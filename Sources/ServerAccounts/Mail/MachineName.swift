import Glibc

/// The name of this machine.
package enum MachineName {
    /// With its domain, as the system's resolver says; nil where it says nothing.
    package static func full() -> String? {
        var name = [CChar](repeating: 0, count: 256)
        guard gethostname(&name, name.count - 1) == 0 else { return nil }
        var hints = addrinfo()
        hints.ai_flags = AI_CANONNAME
        var found: UnsafeMutablePointer<addrinfo>?
        guard getaddrinfo(name, nil, &hints, &found) == 0, let found else { return nil }
        defer { freeaddrinfo(found) }
        return found.pointee.ai_canonname.map { String(cString: $0) }
    }
}
