import NIOCore
import TourGroup
import TourModel
import TourRuntime
import TourTransport
import TourWire

// Long answers, sent in parts.
extension TourNode {
    /// How long the queue of a link has to drain before it gets more.
    private static var owedPause: TimeAmount { .milliseconds(100) }

    /// Sends a member's link what it is owed, as far as its queue has room.
    func sendOwed(on link: LinkID, _ tour: TourID) {
        guard let session = sessions[tour], let connection = session.connections[link] else { return }
        while let message = session.machine.nextOwed(on: link, queuedBytes: connection.queuedBytes) {
            connection.send(message)
        }
        guard session.machine.owesMore(on: link) else { return }
        loop.scheduleTask(in: Self.owedPause) { [weak self] () -> Void in
            self?.assumeIsolated { $0.sendOwed(on: link, tour) }
        }
    }

    /// Sends a joiner its answer.
    func send(_ messages: [LinkMessage], inPartsOn connection: LinkConnection) {
        let id = ObjectIdentifier(connection)
        guard let connected = connections[id] else { return }
        let isUnderWay = !connected.owed.isEmpty
        connections[id]?.owed.add(messages)
        if !isUnderWay { sendOwed(toJoiner: id) }
    }

    private func sendOwed(toJoiner id: ObjectIdentifier) {
        while let connection = connections[id]?.connection,
            let message = connections[id]?.owed.next(queuedBytes: connection.queuedBytes, event: { _ in nil })
        {
            connection.send(message)
        }
        guard connections[id]?.owed.isEmpty == false else { return }
        loop.scheduleTask(in: Self.owedPause) { [weak self] () -> Void in
            self?.assumeIsolated { $0.sendOwed(toJoiner: id) }
        }
    }
}
