import TourAPI
import TourDiscovery
import TourGossip
import TourGroup
import TourLink
import TourMailbox
import TourModel
import TourRuntime
import TourStore
import TourTransport

// The node's account of itself. Shapes: `Protocol/Schema/local-api.yaml`.
extension TourNode {
    /// The state of the node and of one tour, and beside it what still has no words: `TourPresentation` fills these in.
    package struct StatusReport: Sendable {
        /// The state of mDNS.
        package enum Discovery: Equatable, Sendable {
            /// The node has no network; it was started without mDNS.
            case offline, off
            /// It is switched on.
            case on(DiscoveryState)
        }

        /// Without the words of the parts below.
        package var status: Status
        package var discovery: Discovery
        /// Why the notebook's last sync failed; nil if it went well.
        package var notebookProblem: NotebookRunError?
        /// Our acts of the last day that no longer count.
        package var voided: [VoidedAct]
        /// Why the last sync of the tour failed; nil if it went well.
        package var mailboxProblem: APIError?
    }

    /// The node's state and that of a tour; nil: the chosen one.
    package func status(_ tour: String?) async throws -> StatusReport {
        // A node without a tour has a status too.
        let session = sessions.isEmpty && (tour ?? "-") == "-" ? nil : try self.session(tour)
        let mailbox = await mailboxStatus(of: session)
        let (notebookPending, notebookProblem) = await (notebook.pending, notebook.problem)
        let now = NodeClock.now
        let people = session?.people(now: now)
        let unsent = try session.map { try unsentMessages(in: $0) } ?? 0
        let status = Status(
            nodeID: nodeID, version: ProgramVersion.number, commit: ProgramVersion.commit, name: name, port: port,
            tourID: session?.tour.hex,
            tourName: session?.record.name, links: session?.connections.count ?? 0,
            members: session?.group.roster.people.count ?? 0, membersReachable: people.map { $0.reachable - 1 } ?? 0,
            people: people, segments: segments,
            discovery: Status.Discovery(state: "off", reason: nil),
            multicast: multicastState, paths: session.map { PathCounts(of: $0) } ?? PathCounts(), unsent: unsent,
            behind: session.flatMap { behind(in: $0, now: now) },
            sealing: session.map { $0.group.currentEpoch == nil ? "waiting" : "ready" },
            unsynced: session?.unsynced ?? 0, notebookPending: notebookPending,
            notebookProblem: nil, rejected: counters,
            uptimeSeconds: Int((now - startedAt).microseconds / 1_000_000), dataDirectory: settings.dataDirectory,
            storageKey: storageKeyWord, ownLog: session?.gossip.ownLogState.word,
            recovery: session.flatMap { Status.Recovering($0.gossip) }, shareUsed: session?.shareUsed,
            state: session?.state,
            voided: [], lost: session.map(lostMembers) ?? [], archived: session?.group.roster.archive != nil,
            mailbox: mailbox,
            files: session?.files.status)
        return StatusReport(
            status: status, discovery: discoveryStatus, notebookProblem: notebookProblem,
            voided: session.map { news(of: $0).voidedActs(wallMilliseconds: NodeClock.wallMilliseconds) } ?? [],
            mailboxProblem: session?.sync.standing(now: NodeClock.now).problem)
    }

    private func lostMembers(in session: TourSession) -> [Status.Lost] {
        openAlarms(in: session).map {
            Status.Lost(name: $0.name, unanswered: $0.leads && $0.answered == nil, by: $0.by)
        }
    }

    private func behind(in session: TourSession, now: Instant) -> Status.Behind? {
        session.gaps.record(session.gossip.missing, at: now)
        return session.gaps.report.map { report in
            let since = NodeClock.wallMicroseconds - (now - report.since).microseconds
            return Status.Behind(
                messages: report.events, members: report.members, since: Timestamp.text(microseconds: since))
        }
    }

    /// Our own messages after the last event that others are known to have; names and control events are not counted.
    private func unsentMessages(in session: TourSession) throws -> UInt64 {
        let sent: UInt64 = session.machine.receipts.state.marks[session.own]?.sentThrough ?? 0
        guard sent < session.gossip.stored[session.own] else { return 0 }
        do {
            let last = try sent == 0 ? nil : store.event(session.tour, author: session.own, sequence: sent)
            var query = MessageQuery(afterPosition: last.map { MessagePosition.end(of: $0.place) })
            let all = try store.count(session.tour, query)
            query.excludedAuthor = session.own
            let others = try store.count(session.tour, query)
            return UInt64(clamping: all - others)
        } catch {
            throw NodeError.store(error)
        }
    }

    private var discoveryStatus: StatusReport.Discovery {
        guard discovery != nil else { return settings.isOffline ? .offline : .off }
        return .on(discoveryState)
    }

    private var segments: [Status.Segment] {
        usableInterfaces.map { interface in
            let (state, heard, heardBy) = multicast(on: interface)
            return Status.Segment(
                interface: interface.name, addresses: interface.addresses, multicast: state, heard: heard,
                heardBy: heardBy)
        }
    }

    var usableInterfaces: [NetworkInterface] {
        settings.isOffline
            ? [] : NetworkInterface.select(from: NetworkInterface.current(), chosen: settings.interfaces)
    }

    /// Our addresses that nodes on our networks can dial: IPv4 first, without link-local ones, which mean nothing
    /// elsewhere.
    func ownAddresses() -> [String] {
        let all = segments.flatMap(\.addresses).filter { !$0.hasPrefix("fe80") && !$0.hasPrefix("127.") && $0 != "::1" }
        return all.filter { !$0.contains(":") } + all.filter { $0.contains(":") }
    }

    /// An IPv4 address without the IPv6 prefix with which a dual-stack socket shows it.
    package static func plain(_ address: String) -> String {
        let mapping = "::ffff:"
        guard address.hasPrefix(mapping), address.contains(".") else { return address }
        return String(address.dropFirst(mapping.count))
    }

    /// The links of a tour, and the nodes in sight.
    package func peers(_ tour: String?) throws -> Peers {
        let session = try session(tour)
        let view = session.view(store)
        let now = NodeClock.now
        let links = session.connections.sorted { $0.key < $1.key }.compactMap { link, connection -> Peers.Link? in
            guard let peer = connection.peer, let member = session.member(of: peer) else { return nil }
            let age = (now - connection.openedAt).microseconds
            let path = session.gossip.pathQuality(of: link)
            return Peers.Link(
                memberID: member.hex, name: view.distinctName(of: member), address: Self.plain(connection.address),
                port: connection.port, direction: connection.direction.rawValue,
                state: connection.isRestricted ? "restricted" : "open",
                since: Timestamp.text(microseconds: NodeClock.wallMicroseconds - age),
                datagrams: (path?.state ?? .off).rawValue, rttMilliseconds: path?.roundTripMilliseconds,
                lossPercent: path?.lossPercent, queuedBytes: connection.queuedBytes,
                lagging: connection.queuedBytes > Limits.linkQueueBytesMax)
        }
        let slot = UInt64(clamping: NodeClock.wallMilliseconds / 1_000 / 900)
        let tags = session.expectedTags(slot: slot)
        let seen = addressBook.candidates.values
            .map {
                Peers.Seen(
                    instance: $0.instance, address: $0.address, port: Int($0.port),
                    matches: $0.tags.contains(where: tags.contains))
            }
            .sorted { ($0.instance, $0.address) < ($1.instance, $1.address) }
        return Peers(peers: links, candidates: seen)
    }
}
