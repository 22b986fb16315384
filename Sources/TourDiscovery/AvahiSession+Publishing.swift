import CAvahi
import Logging
import TourModel

extension AvahiSession {
    /// Opens a post for each new interface, and closes those of interfaces that are gone.
    func updateInterfaces() {
        let selected = NetworkInterface.select(from: NetworkInterface.current(), chosen: chosen)
        for index in posts.keys where !selected.contains(where: { $0.index == index }) {
            closePost(index)
        }
        names.prune(keeping: selected.map(\.name))
        for interface in selected {
            let post = posts[interface.index] ?? InterfacePost(interface: interface)
            post.interface = interface
            posts[interface.index] = post
        }
    }

    /// Brings the published service on this interface in line with `advertisement`, with the least change.
    func publish(_ advertisement: Advertisement?, on post: InterfacePost, isTick: Bool) {
        if post.hasCollided {
            rename(post)
            withdraw(post)
        }
        if post.hasFailed, isTick { withdraw(post) }
        guard !post.hasFailed else { return }
        guard let advertisement, advertisement.port > 0 else { return withdraw(post) }
        let wanted = InterfacePost.Published(
            interface: post.interface, name: names.name(for: post.interface.name), advertisement: advertisement)
        guard post.published != wanted else { return }
        if let published = post.published, post.group != nil, published.interface == wanted.interface,
            published.name == wanted.name, published.advertisement.port == advertisement.port
        {
            post.hasFailed = !updateText(post, wanted)
        } else {
            withdraw(post)
            post.hasFailed = !register(post, wanted)
        }
        post.published = wanted
    }

    /// Withdraws the service from the network, with a goodbye.
    func withdraw(_ post: InterfacePost) {
        post.published = nil
        post.hasCollided = false
        post.hasFailed = false
        guard let group = post.group else { return }
        post.group = nil
        guard failure == nil else { return }
        _ = check(avahi_entry_group_free(group), "withdraw")
    }

    /// Brings the name beside that of the service in line. One that is taken is left to whoever has it: another
    /// interface of ours in the same network does as well.
    func publishName(_ host: String?, on post: InterfacePost) {
        if post.hasLostName { freeName(post) }
        let addresses = post.interface.addresses.filter { !$0.lowercased().hasPrefix("fe80:") }
        let wanted = host.map { InterfacePost.Named(host: $0, addresses: addresses) }
        guard post.named != wanted else { return }
        withdrawName(post)
        post.named = wanted
        if let wanted, !wanted.addresses.isEmpty, !register(post, wanted) { freeName(post) }
    }

    func withdrawName(_ post: InterfacePost) {
        post.named = nil
        freeName(post)
    }

    private func freeName(_ post: InterfacePost) {
        post.hasLostName = false
        guard let group = post.nameGroup else { return }
        post.nameGroup = nil
        guard failure == nil else { return }
        _ = check(avahi_entry_group_free(group), "withdraw name")
    }

    private func register(_ post: InterfacePost, _ wanted: InterfacePost.Named) -> Bool {
        guard failure == nil, let client else { return false }
        guard let group = avahi_entry_group_new(client, avahiGroupChanged, userdata) else {
            return check(avahi_client_errno(client), "new group")
        }
        post.nameGroup = group
        return add(wanted.addresses, as: "\(wanted.host).\(Self.domain)", to: group, on: post.interface)
            && check(avahi_entry_group_commit(group), "commit")
    }

    private func add(
        _ addresses: [String], as host: String, to group: OpaquePointer, on interface: NetworkInterface
    ) -> Bool {
        let any = AvahiProtocol(AVAHI_PROTO_UNSPEC)
        for text in addresses {
            var address = AvahiAddress()
            guard avahi_address_parse(text, any, &address) != nil else { continue }
            let added = avahi_entry_group_add_address(
                group, interface.index, any, AVAHI_PUBLISH_NO_REVERSE, host, &address)
            guard check(added, "add address") else { return false }
        }
        return true
    }

    func groupChanged(_ group: OpaquePointer, _ state: AvahiEntryGroupState) {
        if let post = posts.values.first(where: { $0.nameGroup == group }) {
            guard state == AVAHI_ENTRY_GROUP_COLLISION || state == AVAHI_ENTRY_GROUP_FAILURE else { return }
            post.hasLostName = true
            return control.wake()
        }
        guard let post = posts.values.first(where: { $0.group == group }) else { return }
        switch state {
        case AVAHI_ENTRY_GROUP_COLLISION: post.hasCollided = true
        case AVAHI_ENTRY_GROUP_FAILURE: post.hasFailed = true
        default: return
        }
        control.wake()
    }

    /// Takes another name because another node has the old one: services ignored as ours must be reported now.
    private func rename(_ post: InterfacePost) {
        logger.debug("discovery: name taken on \(post.interface.name), taking another")
        names.rename(post.interface.name)
        for post in posts.values {
            closeBrowser(post)
            browse(post)
        }
    }

    func closeBrowser(_ post: InterfacePost) {
        guard let browser = post.browser else { return }
        post.browser = nil
        guard failure == nil else { return }
        _ = check(avahi_service_browser_free(browser), "close browser")
    }

    private func closePost(_ index: Int32) {
        guard let post = posts.removeValue(forKey: index) else { return }
        withdraw(post)
        withdrawName(post)
        closeBrowser(post)
        var outputs: [CandidateTable.Output] = []
        table.clear(interface: index, now: Self.now(), into: &outputs)
        apply(outputs)
    }

    /// - Returns: false when Avahi refused; the post then holds what must be withdrawn.
    private func register(_ post: InterfacePost, _ wanted: InterfacePost.Published) -> Bool {
        guard failure == nil, let client else { return false }
        guard let group = avahi_entry_group_new(client, avahiGroupChanged, userdata) else {
            return check(avahi_client_errno(client), "new group")
        }
        post.group = group
        let index = wanted.interface.index
        let any = AvahiProtocol(AVAHI_PROTO_UNSPEC)
        let host = "\(wanted.name.host).\(Self.domain)"
        guard add(wanted.interface.addresses, as: host, to: group, on: wanted.interface) else { return false }
        let list = Self.stringList(wanted.advertisement)
        defer { avahi_string_list_free(list) }
        let added = avahi_entry_group_add_service_strlst(
            group, index, any, AVAHI_PUBLISH_NO_COOKIE, wanted.name.instance, Self.serviceType, Self.domain, host,
            wanted.advertisement.port, list)
        if Int(added) == AVAHI_ERR_COLLISION { rename(post) }
        return check(added, "add service") && check(avahi_entry_group_commit(group), "commit")
    }

    private func updateText(_ post: InterfacePost, _ wanted: InterfacePost.Published) -> Bool {
        let list = Self.stringList(wanted.advertisement)
        defer { avahi_string_list_free(list) }
        let updated = avahi_entry_group_update_service_txt_strlst(
            post.group, wanted.interface.index, AvahiProtocol(AVAHI_PROTO_UNSPEC), AVAHI_PUBLISH_NO_COOKIE,
            wanted.name.instance, Self.serviceType, Self.domain, list)
        return check(updated, "update text")
    }

    private static func stringList(_ advertisement: Advertisement) -> UnsafeMutablePointer<AvahiStringList>? {
        var list: UnsafeMutablePointer<AvahiStringList>?
        for string in ServiceText(tags: advertisement.tags, asks: advertisement.asks).strings {
            list = avahi_string_list_add_arbitrary(list, string, string.count)
        }
        return list
    }
}

/// Runs on Avahi's thread.
private func avahiGroupChanged(
    _ group: OpaquePointer?, _ state: AvahiEntryGroupState, _ userdata: UnsafeMutableRawPointer?
) {
    guard let group, let userdata else { return }
    Unmanaged<AvahiSession>.fromOpaque(userdata).takeUnretainedValue().groupChanged(group, state)
}
