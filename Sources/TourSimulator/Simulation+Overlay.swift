import TourGossip
import TourGroup
import TourModel
import TourRuntime
import TourWire

// The links that a node keeps where nodes choose them: its shell's part around the production rules, and the ends of
// links.
extension Simulation {
    /// The node's knowledge and its links.
    package func overlay(of node: Int) -> Overlay {
        let networks = topology.networks.indices.filter { topology.networks[$0].contains(node) }
        let links = nodes[node].links.sorted { $0.key < $1.key }.compactMap { id, peer -> KeptLink? in
            guard let link = self.links[id], link[node].knowsPeer else { return nil }
            return KeptLink(
                member: nodes[peer].id, openedAt: link.openedAt,
                networks: Set(networks.filter { topology.networks[$0].contains(peer) }))
        }
        return Overlay(
            of: nodes[node].machine, links: links, networks: networks, places: places(of: node),
            dialer: nodes[node].dialling.dialer, now: now)
    }

    /// Whether the node's roster names the peer.
    func isMember(_ peer: Int, to node: Int) -> Bool {
        nodes[node].group.roster.members[nodes[peer].id] != nil
    }

    /// Handles a link that opens at this node's end, as a shell does.
    /// - Returns: why the node does not keep it; nil if it does.
    func welcome(_ id: LinkID, at node: Int) -> ByeReason? {
        guard let link = links[id], acceptsLinks(node) else { return .closing }
        let peer = link.peer(of: node)
        let member = nodes[peer].id
        let old = openLink(from: node, to: peer)
        let verdict = overlay(of: node).verdict(
            on: facts(of: link, at: node), to: member,
            beside: old.flatMap { links[$0] }.map { facts(of: $0, at: node) }, openCount: nodes[node].links.count,
            now: now)
        switch verdict {
        case .keep: break
        case .replaceOther:
            overlayCounts.duplicates += 1
            if let old { hangUp(old, at: node, saying: .duplicate) }
        case .replace(let given):
            if let other = openLink(from: node, to: given) { hangUp(other, at: node, saying: .full) }
        case .refuse(let reason):
            if reason == .full { overlayCounts.refused += 1 }
            return reason
        }
        trace.add(now.microseconds)
        trace.add(id.value)
        trace.add(node)
        nodes[node].links[id] = peer
        open(id, at: node)
        checkRepair(of: node)
        return nil
    }

    private func facts(of link: SimulatedLink, at node: Int) -> LinkFacts {
        LinkFacts(
            isOutbound: link.dialler == node, isRestricted: !isMember(link.peer(of: node), to: node),
            openedAt: link.openedAt)
    }

    private func openLink(from node: Int, to peer: Int) -> LinkID? {
        nodes[node].links.first { $0.value == peer }?.key
    }

    private func openLink(from node: Int, to member: MemberID) -> LinkID? {
        nodes[node].links.first { nodes[$0.value].id == member }?.key
    }

    /// Handles a message before the machine does, as a shell does.
    /// - Returns: whether the link has ended.
    func inspect(_ message: LinkMessage, _ link: LinkID, _ node: Int) -> Bool {
        if case .bye(let reason) = message {
            close(link, at: node, saying: reason)
            return true
        }
        return false
    }

    // MARK: - How links end

    /// Once a second: ends at most one surplus link, and those on which no newcomer was admitted.
    func trim(_ node: Int) {
        for id in nodes[node].links.keys.sorted() {
            guard let link = links[id], !link[node].knowsPeer else { continue }
            if now - link.openedAt > Limits.restrictedLinkTimeout { lose(id) }
        }
        guard nodes[node].links.count > Overlay.acceptMax, let member = overlay(of: node).surplus(now: now),
            let link = openLink(from: node, to: member)
        else { return }
        overlayCounts.surplus += 1
        hangUp(link, at: node, saying: .full)
    }

    /// The node sends the reason, and for it the link is over at once.
    func hangUp(_ id: LinkID, at node: Int, saying reason: ByeReason) {
        transmit(.bye(reason), id, from: node)
        close(id, at: node, saying: reason)
    }

    /// The link is over for this node.
    private func close(_ id: LinkID, at node: Int, saying reason: ByeReason?) {
        guard let link = links[id], let peer = nodes[node].links[id] else { return }
        let member = nodes[peer].id
        let isNeighbour = nodes[node].isAlive && overlay(of: node).isNeighbour(member)
        nodes[node].links[id] = nil
        if linkOf[link.edge] == id { linkOf[link.edge] = nil }
        if !link.isOpening, nodes[peer].links[id] == nil { links[id] = nil }
        guard nodes[node].isAlive else { return }
        trace.add(now.microseconds)
        trace.add(~id.value)
        trace.add(node)
        if nodes[node].isHonest { feed(node, .linkClosed(id)) }
        guard openLink(from: node, to: peer) == nil else { return }
        let isLost = nodes[node].dialling.dialer.linkEnded(
            to: member, of: nodes[node].machine, saying: reason, now: now)
        if isLost, isNeighbour { nodes[node].dialling.lossAt = now }
        dialSoon(node)
    }

    /// The connection breaks, and both ends learn it at once.
    func lose(_ id: LinkID) {
        guard let link = links[id] else { return }
        counts.breaks += 1
        for node in [link.edge.low, link.edge.high] { close(id, at: node, saying: nil) }
        links[id] = nil
    }

    /// Nothing passes any more, and each end learns it by the silence.
    func fallSilent(_ id: LinkID) {
        guard let link = links[id] else { return }
        links[id]?.low.isMuted = true
        links[id]?.high.isMuted = true
        let ends = [link.edge.low, link.edge.high].filter { nodes[$0].links[id] != nil }
        for node in ends {
            // The last sign of life may be as old as the pause between two.
            let patience = Limits.deadPeerTimeout - rng.duration(upTo: Limits.keepAliveInterval)
            plan(.silence(id, node: node), after: patience)
        }
        if ends.isEmpty { links[id] = nil }
    }

    func fellSilent(_ id: LinkID, at node: Int) {
        guard let link = links[id], nodes[node].links[id] != nil else { return }
        // An end that is on learns of the end.
        if hasPath(link.edge.low, link.edge.high) { return lose(id) }
        counts.breaks += 1
        close(id, at: node, saying: nil)
    }

    private func breaksSilently() -> Bool {
        Int.random(in: 0..<1_000, using: &rng) < overlayConditions.silentPerMille
    }

    /// Each link may break.
    func churnLinks() {
        for id in links.keys.sorted() where Int.random(in: 0..<1_000, using: &rng) < breaksPerMille {
            if breaksSilently() { fallSilent(id) } else { lose(id) }
        }
    }

    /// Links between the sides of a partition break.
    func partLinks() {
        for id in links.keys.sorted() {
            guard let link = links[id], !hasPath(link.edge.low, link.edge.high) else { continue }
            if breaksSilently() { fallSilent(id) } else { lose(id) }
        }
    }

    /// A node lost its power: either its process alone, so that the device tells the others, or the whole device.
    func vanish(_ node: Int) {
        let isSilent = breaksSilently()
        let open = nodes[node].links.keys.sorted()
        nodes[node].dialling.isDark = isSilent
        if isSilent { nodes[node].links = [:] }
        for id in open {
            if isSilent { fallSilent(id) } else { lose(id) }
        }
        withdraw(node)
    }
}
