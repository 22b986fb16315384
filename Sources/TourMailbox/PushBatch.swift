import TourModel

/// Events for one request, encoded for the server.
struct PushBatch: Sendable {
    let events: [Event]
    let endpoint: Endpoint

    init(_ events: [Event], as pass: MemberPass) {
        self.events = events
        endpoint = .push(PushRequest(events, tour: pass.tour), as: pass)
    }

    /// As many of the first events as one request may contain.
    init(first events: [Event], as pass: MemberPass) {
        var bytes = 0
        let fitting = events.prefix(Limits.mailboxPushEventsMax).prefix { event in
            bytes += event.bytes.count
            return bytes <= Limits.mailboxPushBytesMax
        }
        self.init(Array(fitting), as: pass)
    }

    /// The server's heads once it has stored all of the batch.
    func heads(behind heads: [MemberID: UInt64]) -> [MemberID: UInt64] {
        events.reduce(into: heads) { $0[$1.header.author] = $1.header.sequence }
    }
}

/// Reads from the node's disk the events that the server lacks.
struct PushReader: Sendable {
    let peer: any SyncPeer
    let pass: MemberPass
    /// For each log the sequence from which on the server rejects it.
    let blocked: [MemberID: UInt64]
    /// Authors whose logs have to wait.
    let later: Set<MemberID>

    /// The next events of the logs in which the server is behind.
    /// - Parameter server: its heads.
    /// - Returns: nil when there are none.
    func batch(behind server: [MemberID: UInt64]) async -> PushBatch? {
        let events = await events(behind: server)
        return events.isEmpty ? nil : PushBatch(events, as: pass)
    }

    private func events(behind server: [MemberID: UInt64]) async -> [Event] {
        var batch = [Event]()
        var bytes = 0
        for (author, head) in await peer.heads().sorted(by: { $0.key < $1.key }) where !later.contains(author) {
            let end = blocked[author] ?? .max
            let last = min(head, end > 0 ? end - 1 : 0)
            var next = (server[author] ?? 0) + 1
            while next <= last {
                let room = Limits.mailboxPushBytesMax - bytes
                let events = await peer.events(of: author, from: next, through: last, bytesMax: room)
                for event in events {
                    guard batch.count < Limits.mailboxPushEventsMax,
                        bytes + event.bytes.count <= Limits.mailboxPushBytesMax
                    else { return batch }
                    batch.append(event)
                    bytes += event.bytes.count
                }
                guard let end = events.last?.header.sequence else { break }
                next = end + 1
            }
        }
        return batch
    }
}
