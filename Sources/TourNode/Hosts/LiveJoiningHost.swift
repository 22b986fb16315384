import NIOCore
import TourCrypto
import TourDiscovery
import TourGossip
import TourGroup
import TourLink
import TourModel
import TourRuntime
import TourTransport
import TourWire

/// What surrounds the joins of a running node.
// Made, used and dropped on the node's loop. What comes later finds attempt and tour again by their ids.
struct LiveJoiningHost: JoiningHost {
    let node: TourNode

    var now: Instant { NodeClock.now }
    var wallMilliseconds: Int64 { NodeClock.wallMilliseconds }

    var rng: SplitMix64 {
        get { node.assumeIsolated { $0.rng } }
        nonmutating set { node.assumeIsolated { $0.rng = newValue } }
    }

    func facts(of tour: TourID) -> JoiningFacts? { node.assumeIsolated { $0.sessions[tour]?.joiningFacts } }

    func joinSecret(of invite: InviteState, in tour: TourID) -> SecretBytes? {
        node.assumeIsolated { $0.sessions[tour]?.group.joinSecret(of: invite) }
    }

    func enter(
        _ group: TourGroup, keys: MemberKeys, secret: InviteSecret, through address: Dialer.Address
    ) throws -> TourID {
        try node.assumeIsolated { try $0.enter(group, keys, secret, through: address) }
    }

    func addresses(announcing secret: SecretBytes) -> [Dialer.Address] {
        let slot = DiscoveryTag.slot(unixSeconds: wallMilliseconds / 1_000)
        let tags = AddressBook.tags(secret, .invite, around: slot)
        return node.assumeIsolated { $0.addressBook.candidates(matching: tags) }
    }

    func dial(_ address: Dialer.Address, with ticket: JoinTicket, for attempt: UInt64) {
        node.assumeIsolated { node in
            guard let transport = node.transport else {
                return node.joining.dialFailed(at: address, for: attempt, self)
            }
            transport.dial(
                host: address.host, port: address.port, intent: .join(ticket), salt: Hello.randomSalt()
            )
            .whenComplete { [weak node] result in
                node?.assumeIsolated { node in
                    guard case .success(let connection) = result else {
                        return node.joining.dialFailed(at: address, for: attempt, node.joiningHost)
                    }
                    let id = ObjectIdentifier(connection)
                    node.connections[id] = TourNode.Connected(connection: connection)
                    node.joining.connected(id, to: address, for: attempt, node.joiningHost)
                }
            }
        }
    }

    func dialDue() { node.assumeIsolated { $0.dial() } }

    func dialSoon() { node.assumeIsolated { $0.dialSoon() } }

    func reportUnreachable(_ address: Dialer.Address) {
        node.assumeIsolated { $0.notifyDiscovery(ofUnreachable: address) }
    }

    func close(_ connection: ObjectIdentifier) {
        node.assumeIsolated { $0.connections[connection]?.connection.close(saying: .closing) }
    }

    var segments: [SegmentID] { node.assumeIsolated { $0.multicast.open } }
    var port: Int { node.assumeIsolated { $0.port } }

    func multicast(_ sealed: [UInt8], on segment: SegmentID) {
        node.assumeIsolated { node in
            guard let port = node.multicast.ports[segment]?.port else { return }
            _ = node.multicast.window.insert(sealed)
            port.send(sealed)
        }
    }

    func recordOpened(_ sealed: [UInt8]) { node.assumeIsolated { _ = $0.multicast.window.insert(sealed) } }

    func address(of sender: SocketAddress, port: Int, on segment: SegmentID) -> Dialer.Address? {
        node.assumeIsolated { $0.address(sender, port: port, on: segment) }
    }

    func triesInvites(now: Instant) -> Bool { node.assumeIsolated { $0.multicast.door.triesInvites(now: now) } }

    func recordTries(_ count: Int, now: Instant) {
        node.assumeIsolated { $0.multicast.door.recordTries(count, now: now) }
    }

    func setExpiry(of attempt: UInt64, in delay: Duration) -> () -> Void {
        let timer = node.loop.scheduleTask(in: .microseconds(delay.microseconds)) { [weak node] () -> Void in
            node?.assumeIsolated { $0.joining.expire(attempt, $0.joiningHost) }
        }
        return { timer.cancel() }
    }

    func setAnswer(to invite: SigningKey, of tour: TourID, in delay: Duration) {
        node.loop.scheduleTask(in: .microseconds(delay.microseconds)) { [weak node] () -> Void in
            node?.assumeIsolated { $0.sessions[tour]?.joiners.answer(invite, $0.joiningHost) }
        }
    }
}

extension TourSession {
    var joiningFacts: JoiningFacts { JoiningFacts(own: own, roster: group.roster, isActive: isActive) }
}
