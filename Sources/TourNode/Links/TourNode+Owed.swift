import NIOCore
import TourGroup
import TourModel
import TourTransport
import TourWire

// Long answers, sent in parts.
extension TourNode {
    /// How long the queue of a link has to drain before it gets more.
    private static var owedPause: TimeAmount { .milliseconds(100) }

    /// Whether to answer an index that arrived on this link.
    func answersIndex(on connection: LinkConnection) -> Bool {
        connections[ObjectIdentifier(connection)]?.owed.answers(at: NodeClock.now) ?? false
    }

    func send(_ messages: [LinkMessage], inPartsOn connection: LinkConnection) {
        let id = ObjectIdentifier(connection)
        guard let connected = connections[id] else { return }
        let isUnderWay = !connected.owed.isEmpty
        connections[id]?.owed.add(messages)
        if !isUnderWay { sendOwed(on: id) }
    }

    /// Sends a link control events that are new here: those that we still hold once its queue has drained.
    func send(news: [EventID], inPartsOn connection: LinkConnection) {
        let id = ObjectIdentifier(connection)
        guard !news.isEmpty, let connected = connections[id] else { return }
        let isUnderWay = !connected.owed.isEmpty
        connections[id]?.owed.add(news: news)
        if !isUnderWay { sendOwed(on: id) }
    }

    private func sendOwed(on id: ObjectIdentifier) {
        // Looked up beforehand, since the loop changes `connections` while it makes the next message.
        let group = connections[id]?.tour.flatMap { sessions[$0]?.group }
        while let connection = connections[id]?.connection,
            let message = connections[id]?.owed.next(
                queuedBytes: connection.queuedBytes, event: { group?.control($0) })
        {
            connection.send(message)
        }
        guard connections[id]?.owed.isEmpty == false else { return }
        loop.scheduleTask(in: Self.owedPause) { [weak self] () -> Void in
            self?.assumeIsolated { $0.sendOwed(on: id) }
        }
    }
}
