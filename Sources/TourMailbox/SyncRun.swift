import TourModel
import TourWire

/// One sync of one tour with one server. Source: `Protocol/09-mailbox.md`, "Sync".
package struct SyncRun: Sendable {
    private let mailbox: Mailbox
    private let peer: any SyncPeer
    /// To be passed to the next sync.
    package private(set) var memory: SyncMemory
    /// How far this sync has come.
    package private(set) var progress = SyncProgress()
    /// The server's heads, as far as it reported them.
    private var server: [MemberID: UInt64] = [:]

    package init(mailbox: Mailbox, peer: any SyncPeer, memory: SyncMemory) {
        self.mailbox = mailbox
        self.peer = peer
        self.memory = memory
    }

    /// Completed steps stay done when this ends early.
    package mutating func run() async throws(APIError) {
        do {
            let frontier = try await frontier()
            server = frontier.heads.values
            await peer.record(heads: server, at: frontier.syncTime)
            try await pullControls(of: frontier)
            progress.pullTotal = await missing()
            let mine = await peer.heads()
            progress.pushTotal = mine.reduce(0) { $0 + $1.value.subtracting(server[$1.key] ?? 0) }
            await peer.record(progress: progress)
            try await pullLogs()
            try await push()
            try await serveArchive()
            await mailbox.bind()
        } catch .http(let status, "removed", let retryAfter) {
            // The node believes signed events, never the server's word alone.
            await peer.receive(controls: await mailbox.client.drainEvidence())
            throw .http(status: status, code: "removed", retryAfter: retryAfter)
        }
    }

    /// Gives the archive the missing keys that it may have, as to any member who asks on a link.
    private func serveArchive() async throws(APIError) {
        guard await peer.hasArchive(), let archive = try await mailbox.archive(), archive.isActive,
            let member = MemberID(hex: archive.memberId)
        else { return }
        let wants = archive.wants.prefix(Limits.epochsAskedMax).compactMap { EpochID(hex: $0) }
        let keys = await peer.keys(wants, forArchive: member)
        if !keys.isEmpty { try await mailbox.handOver(keys) }
    }

    private func missing() async -> UInt64 {
        await peer.behind(server).reduce(0) { $0 + (server[$1.key] ?? 0).subtracting($1.value) }
    }

    private static func checkCancellation() throws(APIError) {
        if Task.isCancelled { throw .network(.cancelled) }
    }

    /// Introduces the tour and the member to a server that does not know them.
    private mutating func frontier() async throws(APIError) -> FrontierAnswer {
        do {
            return try await askFrontier()
        } catch .http(_, "unknown-group", _) {
            let introduction = await peer.introduction()
            guard introduction.leads, await mailbox.client.account != nil else {
                throw .http(status: 404, code: "unknown-group")
            }
            try await mailbox.found(introduction)
        } catch .http(_, "unknown-member", _) {
            try await mailbox.introduce(by: await peer.introduction().controls)
        }
        return try await askFrontier()
    }

    private mutating func askFrontier() async throws(APIError) -> FrontierAnswer {
        let known = memory.frontier == nil ? nil : memory.mark
        if let (answer, mark) = try await mailbox.frontier(known: known) {
            memory.frontier = answer
            memory.mark = mark
            return answer
        }
        guard let known = memory.frontier else { throw .decoding }
        return known
    }

    private static let controlPagesMax = 64

    private mutating func pullControls(of frontier: FrontierAnswer) async throws(APIError) {
        if frontier.controls < memory.controlPlace { memory.controlPlace = 0 }
        // The next sync reads the rest: no server can keep a node reading for ever.
        for _ in 0..<Self.controlPagesMax where memory.controlPlace < frontier.controls {
            try Self.checkCancellation()
            let page = try await mailbox.controls(after: memory.controlPlace)
            guard page.next > memory.controlPlace, !page.events.isEmpty else { return }
            await peer.receive(controls: page.events)
            memory.controlPlace = page.next
        }
    }

    private mutating func pullLogs() async throws(APIError) {
        var lacking = await peer.behind(server)
        while !lacking.isEmpty {
            try Self.checkCancellation()
            let asked = lacking.sorted { $0.key < $1.key }.prefix(Limits.mailboxAuthorsMax)
                .map { (author: $0.key, sequence: $0.value) }
            let page = try await mailbox.events(after: asked)
            await peer.receive(runs: page.runs)
            let served = Set(page.runs.map(\.author))
            let after = await peer.behind(server)
            let isGoingOn = page.more && asked.contains { after[$0.author] != $0.sequence }
            for (author, held) in asked {
                let isStuck = after[author] == held
                // Its answer does not continue the log, or is empty although the frontier names more.
                if after[author] == nil || isStuck && (served.contains(author) || !isGoingOn) {
                    lacking[author] = nil
                } else {
                    lacking[author] = after[author]
                }
                let came = (after[author] ?? server[author] ?? held).subtracting(held)
                progress.pulled = progress.pulled.adding(came)
            }
            await peer.record(progress: progress)
            if page.runs.isEmpty, page.more { throw .decoding }
        }
    }
}

// Pushing the events that the server lacks.
extension SyncRun {
    private mutating func push() async throws(APIError) {
        try await pushControls()
        var later = Set<MemberID>()
        var hasMoved = false
        var next = await reader(without: later).batch(behind: server)
        while true {
            try Self.checkCancellation()
            guard let batch = next else {
                // Logs that had to wait are tried once more, if other accepted events may have been what they waited
                // for.
                guard hasMoved, !later.isEmpty else { return }
                (later, hasMoved) = ([], false)
                next = await reader(without: later).batch(behind: server)
                continue
            }
            // While the server works on this batch, the next one is read and encoded, assuming that all of this one
            // will be stored.
            let hoped = batch.heads(behind: server)
            let reader = reader(without: later)
            async let following = reader.batch(behind: hoped)
            let answer = try await mailbox.push(batch)
            if await apply(answer, for: batch.events) { hasMoved = true }
            for author in Set(batch.events.map(\.header.author)) where !hasRisen(author, by: batch.events) {
                later.insert(author)
            }
            next = await following
            if server != hoped || later != reader.later || memory.blocked != reader.blocked {
                next = await self.reader(without: later).batch(behind: server)
            }
        }
    }

    private func reader(without later: Set<MemberID>) -> PushReader {
        PushReader(peer: peer, pass: mailbox.pass, blocked: memory.blocked, later: later)
    }

    /// Control events first: the server must know the authors.
    private mutating func pushControls() async throws(APIError) {
        var waiting = await peer.controls(behind: server).filter {
            memory.refused[$0.id] == nil && !memory.early.contains($0.id)
        }
        while !waiting.isEmpty {
            try Self.checkCancellation()
            let batch = PushBatch(first: waiting, as: mailbox.pass)
            let answer = try await mailbox.push(batch)
            _ = await apply(answer, for: batch.events)
            let kept = Set(answer.syncedMessages.compactMap { EventID(hex: $0.localMessageId) })
            memory.early.formUnion(kept)
            // The admission of an author may come in a later batch; its log, and with it these events, follow then.
            waiting.removeFirst(batch.events.count)
        }
    }

    /// - Returns: whether a log has grown at the server.
    private mutating func apply(_ answer: PushAnswer, for batch: [Event]) async -> Bool {
        let byID = Dictionary(batch.map { ($0.id.hex, $0) }) { first, _ in first }
        for rejected in answer.rejectedMessages where !rejected.retry {
            guard let event = byID[rejected.localMessageId] else { continue }
            memory.refused[event.id] = String(rejected.code.prefix(64))
            let header = event.header
            memory.blocked[header.author] = min(memory.blocked[header.author] ?? .max, header.sequence)
        }
        var hasMoved = false
        for (author, head) in answer.heads.values where head > server[author] ?? 0 {
            progress.pushed = progress.pushed.adding(head - (server[author] ?? 0))
            server[author] = head
            hasMoved = true
        }
        await peer.record(heads: answer.heads.values, at: answer.syncTime)
        await peer.record(progress: progress)
        return hasMoved
    }

    private func hasRisen(_ author: MemberID, by batch: [Event]) -> Bool {
        batch.contains { $0.header.author == author && $0.header.sequence <= server[author] ?? 0 }
    }
}

extension UInt64 {
    /// Zero in place of an underflow.
    fileprivate func subtracting(_ other: UInt64) -> UInt64 { self > other ? self - other : 0 }
}
