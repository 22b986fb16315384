import NIOCore
import TourGroup
import TourModel
import TourRuntime
import TourTransport
import TourWire

// A joiner's long answer, sent in parts.
extension TourNode {
    /// How long the queue of the link has to drain before it gets more.
    private static var owedPause: TimeAmount { .milliseconds(100) }

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
