import TourAPI
import TourCrypto
import TourGroup
import TourModel
import TourRuntime
import TourStore
import TourTransport
import TourWire

/// What surrounds the key horizon of a tour on a running node.
// Made, used and dropped on the node's loop, to which the session belongs.
struct LiveKeyHorizonHost: KeyHorizonHost, @unchecked Sendable {
    let node: TourNode
    let session: TourSession

    var records: MembershipRecords { MembershipRecords(store: node.store, member: session.own) }
    var isOver: Bool { session.state != .active }
    var isCurrent: Bool { node.assumeIsolated { $0.sessions[session.tour] === session && !$0.isStopping } }
    var hasWipedKeys: Bool { session.machine.hasWipedKeys }
    var isBusy: Bool { session.machine.isBusy }
    var group: TourGroup { session.group }

    func closeLinks() { for connection in session.connections.values { connection.close(saying: .closing) } }

    // Our wrapping keys as well, since the log holds every epoch's key wrapped to one of them.
    func wipeKeys() {
        session.machine.wipeKeys(fresh: WrappingKeyPair(), at: NodeClock.reading)
        session.forgetDerivedKeys()
        node.assumeIsolated { $0.advertise() }
    }

    func saveKeys() throws { try node.assumeIsolated { try $0.save(session) } }
}
