import TourCrypto
import TourGossip
import TourGroup
import TourModel
import TourWire

// New epochs and their keys, as a shell handles them.
extension Simulation {
    /// If the member may, it makes a new epoch now.
    package func rekey(_ node: Int) {
        guard nodes[node].isAlive, nodes[node].isHonest else { return }
        let key = SecretBytes(rng.bytes(EpochKey.keyBytes))
        guard let body = try? nodes[node].group.rekeyBody(key: key, by: nodes[node].id) else { return }
        let event = nodes[node].author.write(body, wallMilliseconds: wallMilliseconds(of: node))
        publish(event, node: node)
        controlsAdded(nodes[node].group.add(verified: [event]), node)
    }

    /// Control events arrived: opens keys wrapped for the node, requests missing ones, and rekeys when it is its
    /// turn.
    func followEpochs(_ node: Int) {
        let (own, pair) = (nodes[node].id, nodes[node].keys.wrapping)
        _ = nodes[node].group.unwrap(for: own, by: [pair])
        askForEpochs(node)
        guard isRekeyDue(node), !nodes[node].isRekeyPlanned else { return }
        nodes[node].isRekeyPlanned = true
        let reason: RekeyReason = nodes[node].group.keyring.graph.heads.count > 1 ? .merge : .removal
        let delay = nodes[node].group.rekeyDelay(of: own, for: reason, using: &rng)
        let life = nodes[node].life
        after(delay) { [self] in
            guard isCurrent(node, life) else { return }
            nodes[node].isRekeyPlanned = false
            if isRekeyDue(node) { rekey(node) }
        }
    }

    /// Reasons that take days are too slow for a simulation: only those that others wait for count.
    private func isRekeyDue(_ node: Int) -> Bool {
        let reason = nodes[node].group.rekeyReason(
            for: nodes[node].id, wallMilliseconds: wallMilliseconds(of: node), usedAt: 0)
        return reason == .merge || reason == .removal
    }

    /// Requests missing epochs on every link, and again a second later.
    private func askForEpochs(_ node: Int) {
        let missing = nodes[node].group.missingEpochs(for: nodes[node].id)
        guard !missing.isEmpty, nodes[node].isHonest, !nodes[node].isAskPlanned else { return }
        for link in nodes[node].links.keys.sorted() where links[link]?[node].knowsPeer == true {
            transmit(.epochAsk(missing), link, from: node)
        }
        nodes[node].isAskPlanned = true
        let life = nodes[node].life
        after(.seconds(1)) { [self] in
            guard isCurrent(node, life) else { return }
            nodes[node].isAskPlanned = false
            askForEpochs(node)
        }
    }

    func answer(_ epochs: [EpochID], _ link: LinkID, _ node: Int) {
        guard let peer = nodes[node].links[link] else { return }
        let asked = Set(epochs)
        let keys = nodes[node].group.epochKeys(for: nodes[peer].id, among: asked)
        guard !keys.isEmpty else { return }
        transmit(.epochKeys(keys.compactMap(Self.secret)), link, from: node)
    }

    func receive(_ secrets: [EpochSecret], _ node: Int) {
        let asked = Set(nodes[node].group.missingEpochs(for: nodes[node].id))
        _ = nodes[node].group.learn(secrets, askedFor: asked)
    }

    private static func secret(_ key: EpochKey) -> EpochSecret? {
        Bytes32(key.key.exposedCopy()).map { EpochSecret(epoch: key.id, key: $0) }
    }
}

/// Nothing was sealed under a key that a device which its author knew to be removed can compute by itself; and, once
/// all is well, everybody has the keys of the same heads.
package struct EpochChecker: Checker {
    package let name = "epoch"
    private let isSettled: Bool

    /// - Parameter isSettled: whether all control events have reached everybody.
    package init(isSettled: Bool = false) { self.isSettled = isSettled }

    package func problems(in simulation: Simulation) -> [String] {
        var problems = [String]()
        let unsafe = simulation.counts.unsafeSeals
        if unsafe > 0 { problems.append("\(unsafe) events were sealed for somebody removed") }
        guard isSettled, let first = simulation.honest.first else { return problems }
        let heads = first.group.keyring.graph.heads
        return problems
            + simulation.honest.compactMap { node -> String? in
                let keyring = node.group.keyring
                if keyring.graph.heads != heads { return "node \(node.number) has other heads" }
                guard keyring.holders.active.contains(node.id) else { return nil }
                return keyring.sending == nil || !heads.allSatisfy(keyring.isHeld)
                    ? "node \(node.number) lacks a key" : nil
            }
    }
}
