import NIOCore
import TourAPI
import TourCrypto
import TourGossip
import TourGroup
import TourLink
import TourModel
import TourStore
import TourTransport
import TourWire

/// What surrounds the asking of a running node.
// Made, used and dropped on the node's loop. What comes later finds the ask again by its id.
struct LiveAskingHost: AskingHost {
    let node: TourNode

    var now: Instant { NodeClock.now }

    func mayInvite(to tour: TourID) -> Bool { node.assumeIsolated { $0.sessions[tour]?.answersAskers ?? false } }

    func name(of tour: TourID) -> String { node.assumeIsolated { $0.sessions[tour]?.record.name ?? "" } }

    func send(_ message: AskMessage, on connection: ObjectIdentifier) {
        node.assumeIsolated { $0.connections[connection]?.connection.send(.ask(message)) }
    }

    func writeCode(for asker: UInt64, to tour: TourID) { node.assumeIsolated { $0.writeCode(for: asker, to: tour) } }

    func count(_ fault: AskFault) { node.assumeIsolated { $0.count(fault) } }

    func close(_ connection: ObjectIdentifier) {
        node.assumeIsolated { $0.connections[connection]?.connection.close(saying: .closing) }
    }

    func addresses(announcing tag: DiscoveryTag) -> [Dialer.Address] {
        node.assumeIsolated { $0.addressBook.addresses(asking: tag) }
    }

    func dial(_ address: Dialer.Address, with ticket: AskTicket, for ask: UInt64) {
        node.assumeIsolated { node in
            guard let transport = node.transport, !node.isStopping else { return }
            transport.dial(host: address.host, port: address.port, intent: .ask(ticket), salt: Hello.randomSalt())
                .whenComplete { [weak node] result in
                    node?.assumeIsolated { $0.dialled(result, for: ask) }
                }
        }
    }
}

extension TourNode {
    fileprivate func dialled(_ result: Result<LinkConnection, any Error>, for ask: UInt64) {
        guard case .success(let connection) = result else {
            if let own = asking.own, own.id == ask { own.dialFailed(askingHost) }
            return
        }
        connections[ObjectIdentifier(connection)] = Connected(connection: connection)
        guard let own = asking.own, own.id == ask else { return connection.close(saying: .closing) }
        own.connected(ObjectIdentifier(connection), askingHost)
    }
}

extension TourSession {
    /// Whether this node lets askers into the tour.
    var answersAskers: Bool { isAnsweringAskers && isActive && wantsLinks && !isOut && rank.leads }

    /// The tag by which others may ask for this tour at a time; nil where nobody may.
    func askTag(slot: UInt64) -> DiscoveryTag? {
        guard answersAskers, let secret = memberCredentials().first?.secret else { return nil }
        return DiscoveryTag(secret: secret, kind: .ask, slot: slot)
    }

    /// The secrets that askers may use now: the tag may be a little old, or their clock, and ours, a little off.
    func askCredentials(slot: UInt64) -> [LinkCredential] {
        (slot - min(slot, 1)...slot + 1).compactMap { slot in
            askTag(slot: slot).map {
                LinkCredential(
                    tour: tour, purpose: .asking($0), secret: ComparedWords.psk(of: $0), keys: linkKeys, genesis: [])
            }
        }
    }
}

extension AskingView {
    init(_ session: TourSession, _ shown: [Askers.Shown], _ spoken: SpokenCode?, slot: UInt64, now: Instant) {
        var names: [String: Int] = [:]
        for asker in shown { names[DisplayName.folded(asker.name), default: 0] += 1 }
        for member in session.group.roster.active {
            if let name = session.names[member.id] { names[DisplayName.folded(name), default: 0] += 1 }
        }
        self.init(
            on: session.isAnsweringAskers, mayInvite: session.isActive && session.rank.leads,
            label: session.askTag(slot: slot).map { ComparedWords.label(of: $0) },
            asks: shown.map {
                Asker(
                    id: String($0.id), name: $0.name, words: $0.words.words, label: $0.label,
                    secondsLeft: $0.secondsLeft, sameName: names[DisplayName.folded($0.name), default: 0] > 1)
            },
            code: spoken.flatMap { spoken in
                guard !spoken.isOver(now: now) else { return nil }
                return Code(
                    digits: spoken.digits.text, usesLeft: spoken.isSpent ? 0 : spoken.usesLeft,
                    secondsLeft: spoken.secondsLeft(now: now))
            })
    }
}
