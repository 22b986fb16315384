import Glibc

extension NetworkInterface {
    /// The interfaces that are up and support multicast (or are the loopback), with their addresses; empty when the
    /// system does not report them.
    package static func current() -> [NetworkInterface] {
        var first: UnsafeMutablePointer<ifaddrs>?
        guard getifaddrs(&first) == 0 else { return [] }
        defer { freeifaddrs(first) }
        var flags: [String: UInt32] = [:]
        var addresses: [String: Set<String>] = [:]
        var entry = first
        while let current = entry {
            entry = current.pointee.ifa_next
            guard let rawName = current.pointee.ifa_name, let socketAddress = current.pointee.ifa_addr else { continue }
            let name = String(cString: rawName)
            flags[name] = current.pointee.ifa_flags
            if let address = numeric(socketAddress) { addresses[name, default: []].insert(address) }
        }
        var interfaces: [NetworkInterface] = []
        for (name, addresses) in addresses {
            let flags = flags[name] ?? 0
            let isLoopback = flags & UInt32(IFF_LOOPBACK) != 0
            let hasMulticast = flags & UInt32(IFF_MULTICAST) != 0
            guard flags & UInt32(IFF_UP) != 0, isLoopback || hasMulticast else { continue }
            guard let index = Int32(exactly: if_nametoindex(name)), index > 0 else { continue }
            interfaces.append(
                NetworkInterface(index: index, name: name, isLoopback: isLoopback, addresses: Array(addresses)))
        }
        return interfaces
    }

    /// The names of all interfaces, up or down, in alphabetical order; empty when the system does not report them.
    package static func names() -> [String] {
        var first: UnsafeMutablePointer<ifaddrs>?
        guard getifaddrs(&first) == 0 else { return [] }
        defer { freeifaddrs(first) }
        var names = Set<String>()
        var entry = first
        while let current = entry {
            entry = current.pointee.ifa_next
            if let name = current.pointee.ifa_name { names.insert(String(cString: name)) }
        }
        return names.sorted()
    }

    private static func numeric(_ address: UnsafeMutablePointer<sockaddr>) -> String? {
        withUnsafeTemporaryAllocation(of: CChar.self, capacity: Int(INET6_ADDRSTRLEN)) { buffer in
            let text: UnsafePointer<CChar>?
            switch Int32(address.pointee.sa_family) {
            case AF_INET:
                text = address.withMemoryRebound(to: sockaddr_in.self, capacity: 1) {
                    inet_ntop(AF_INET, &$0.pointee.sin_addr, buffer.baseAddress, socklen_t(buffer.count))
                }
            case AF_INET6:
                text = address.withMemoryRebound(to: sockaddr_in6.self, capacity: 1) {
                    inet_ntop(AF_INET6, &$0.pointee.sin6_addr, buffer.baseAddress, socklen_t(buffer.count))
                }
            default: text = nil
            }
            return text.map { String(cString: $0) }
        }
    }
}
