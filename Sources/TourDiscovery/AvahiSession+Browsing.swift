import CAvahi
import TourModel

extension AvahiSession {
    /// Follows the records on this interface, or does not, as is wanted now. Those that were found before and are not
    /// found again are gone.
    func follow(on post: InterfacePost) {
        guard isBrowsing else { return closeBrowser(post) }
        guard post.browser != nil else { return browse(post) }
        guard !post.unseen.isEmpty, Self.now() - post.browsedAt >= Self.findingTime else { return }
        var outputs: [CandidateTable.Output] = []
        for key in post.unseen { table.removed(key, now: Self.now(), into: &outputs) }
        post.unseen = []
        apply(outputs)
    }

    /// How long a new browser has for what the network has.
    private static var findingTime: Duration { .seconds(8) }

    func browse(_ post: InterfacePost) {
        guard failure == nil, isBrowsing, let client else { return }
        post.unseen = table.keys(on: post.interface.index)
        post.browsedAt = Self.now()
        post.browser = avahi_service_browser_new(
            client, post.interface.index, AvahiProtocol(AVAHI_PROTO_UNSPEC), Self.serviceType, Self.domain,
            AvahiLookupFlags(rawValue: 0), avahiBrowsed, userdata)
        if post.browser == nil { _ = check(avahi_client_errno(client), "new browser") }
    }

    func browsed(_ key: ServiceKey, _ event: AvahiBrowserEvent) {
        guard failure == nil else { return }
        var outputs: [CandidateTable.Output] = []
        switch event {
        case AVAHI_BROWSER_NEW:
            guard !names.isOurs(key.instance) else { return }
            posts[key.interface]?.unseen.remove(key)
            table.browsed(key, now: Self.now(), into: &outputs)
        case AVAHI_BROWSER_REMOVE: table.removed(key, now: Self.now(), into: &outputs)
        default: return
        }
        apply(outputs)
        openDue()
        // Ticks must become frequent while services wait.
        if isBusy { control.wake() }
    }

    func resolved(_ resolver: OpaquePointer, _ key: ServiceKey, _ candidate: Candidate?) {
        guard failure == nil, resolvers[key] == resolver else { return }
        var outputs: [CandidateTable.Output] = []
        let own = names.isOurs(key.instance)
        table.resolved(key, own ? nil : candidate, now: Self.now(), into: &outputs)
        apply(outputs)
        guard candidate != nil, resolvers[key] == resolver else { return }
        closeResolver(key)
        schedule.answered(key, now: Self.now())
        openDue()
    }

    func advanceTurns() {
        var outputs: [CandidateTable.Output] = []
        if table.isCrowded { table.tick(now: Self.now(), into: &outputs) }
        apply(outputs)
    }

    /// Opens resolvers for the services whose turn it is.
    func openDue() {
        guard isBrowsing else { return }
        var rng = SystemRandomNumberGenerator()
        for key in schedule.due(isCrowded: table.isCrowded, now: Self.now(), using: &rng) { openResolver(key) }
    }

    func apply(_ outputs: [CandidateTable.Output]) {
        for output in outputs {
            switch output {
            case .resolve(let key): schedule.add(key, now: Self.now())
            case .release(let key):
                schedule.remove(key)
                closeResolver(key)
            case .found(let key, let candidate): mailbox.found(key, candidate)
            case .lost(let key): mailbox.lost(key)
            }
        }
    }

    static func now() -> Instant {
        Instant(microseconds: origin.duration(to: .now).microseconds)
    }

    private static let origin = ContinuousClock.Instant.now

    private func openResolver(_ key: ServiceKey) {
        guard failure == nil, resolvers[key] == nil, let client else { return }
        let family = AvahiProtocol(key.isIPv6 ? AVAHI_PROTO_INET6 : AVAHI_PROTO_INET)
        let resolver = avahi_service_resolver_new(
            client, key.interface, family, key.instance, Self.serviceType, Self.domain, family,
            AvahiLookupFlags(rawValue: 0), avahiResolved, userdata)
        resolvers[key] = resolver
        if resolver == nil {
            schedule.refused(key, now: Self.now())
            _ = check(avahi_client_errno(client), "new resolver")
        }
    }

    private func closeResolver(_ key: ServiceKey) {
        guard let resolver = resolvers.removeValue(forKey: key), failure == nil else { return }
        _ = check(avahi_service_resolver_free(resolver), "close resolver")
    }
}

extension ServiceKey {
    /// - Returns: nil for values that no valid answer contains.
    fileprivate init?(_ interface: AvahiIfIndex, _ family: AvahiProtocol, _ name: UnsafePointer<CChar>?) {
        guard let name, interface > 0 else { return nil }
        let instance = String(cString: name)
        guard (1...63).contains(instance.utf8.count) else { return nil }
        self.init(instance: instance, interface: interface, isIPv6: Int(family) == AVAHI_PROTO_INET6)
    }
}

extension Candidate {
    fileprivate init?(
        _ key: ServiceKey, on interface: NetworkInterface?, _ address: UnsafePointer<AvahiAddress>?, _ port: UInt16,
        _ list: UnsafeMutablePointer<AvahiStringList>?
    ) {
        guard let interface, let address, port > 0 else { return nil }
        guard (Int(address.pointee.proto) == AVAHI_PROTO_INET6) == key.isIPv6 else { return nil }
        let bytes = withUnsafeBytes(of: address.pointee.data) { Array($0.prefix(key.isIPv6 ? 16 : 4)) }
        var strings: [[UInt8]] = []
        var next = list
        while let string = next, strings.count < ServiceText.stringsMax {
            strings.append(
                Array(
                    UnsafeBufferPointer(
                        start: avahi_string_list_get_text(string), count: avahi_string_list_get_size(string))))
            next = avahi_string_list_get_next(string)
        }
        guard let text = ServiceText(strings: strings),
            let address = DialableAddress.text(bytes, zone: interface.name, isLoopback: interface.isLoopback)
        else { return nil }
        self.init(
            instance: key.instance, interface: key.interface, address: address, port: port, version: text.version,
            tags: text.tags, asks: text.asks)
    }
}

/// Runs on Avahi's thread.
private func avahiBrowsed(
    _: OpaquePointer?, _ interface: AvahiIfIndex, _ family: AvahiProtocol, _ event: AvahiBrowserEvent,
    _ name: UnsafePointer<CChar>?, _: UnsafePointer<CChar>?, _: UnsafePointer<CChar>?, _: AvahiLookupResultFlags,
    _ userdata: UnsafeMutableRawPointer?
) {
    guard let userdata else { return }
    let session = Unmanaged<AvahiSession>.fromOpaque(userdata).takeUnretainedValue()
    if event == AVAHI_BROWSER_FAILURE {
        session.fail(Int32(AVAHI_ERR_FAILURE))
    } else if let key = ServiceKey(interface, family, name) {
        session.browsed(key, event)
    }
}

/// Runs on Avahi's thread; after the first answer again at each change.
private func avahiResolved(
    _ resolver: OpaquePointer?, _ interface: AvahiIfIndex, _ family: AvahiProtocol, _ event: AvahiResolverEvent,
    _ name: UnsafePointer<CChar>?, _: UnsafePointer<CChar>?, _: UnsafePointer<CChar>?, _: UnsafePointer<CChar>?,
    _ address: UnsafePointer<AvahiAddress>?, _ port: UInt16, _ list: UnsafeMutablePointer<AvahiStringList>?,
    _: AvahiLookupResultFlags, _ userdata: UnsafeMutableRawPointer?
) {
    guard let resolver, let userdata, let key = ServiceKey(interface, family, name) else { return }
    let session = Unmanaged<AvahiSession>.fromOpaque(userdata).takeUnretainedValue()
    let local = session.posts[key.interface]?.interface
    session.resolved(
        resolver, key, event == AVAHI_RESOLVER_FOUND ? Candidate(key, on: local, address, port, list) : nil)
}
