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
    /// The state of the node, and of one tour. `TourPresentation` makes the answer of it.
    package struct Status: Sendable {
        /// A lost member.
        package struct Lost: Encodable, Sendable {
            package var name: String
            /// This node's member leads, and has not answered the alarm.
            package var unanswered: Bool
            /// Of a guest: the device with which it is.
            @Nullable package var by: GuestHost?
        }

        /// One network.
        package struct Segment: Encodable, Sendable {
            /// The interface's name, as the system calls it.
            package var interface: String
            /// Our addresses there.
            package var addresses: [String]
            /// Whether multicast works there.
            package var multicast: MulticastState
            /// Members lately heard there, and members who confirm that they hear us.
            package var heard: Int
            /// Members who confirm that they hear us there.
            package var heardBy: Int
        }

        /// The state of mDNS.
        package enum Discovery: Equatable, Sendable {
            /// The node has no network; it was started without mDNS.
            case offline, off
            /// It is switched on.
            case on(DiscoveryState)
        }

        /// Members near us who have told us what they hold of our log, and how many must.
        package struct Recovering: Encodable, Sendable {
            /// Members near us who have told us what they hold of our log.
            package var heard: Int
            /// How many must.
            package var needed: Int
        }

        /// Events that other members have and this node lacks.
        package struct Behind: Encodable, Sendable {
            /// How many messages, names and changes of the tour are missing, and of how many members' logs.
            package var messages: UInt64
            /// How many members' logs have missing events.
            package var members: Int
            /// Since when something has been missing.
            package var since: String
        }

        /// A random id of this node, kept in the store.
        package var nodeID: String
        /// The display name of this node's member.
        package var name: String
        /// The port that we listen on; 0: none.
        package var port: Int
        /// The tour; nil: the node has none.
        package var tourID: String?
        package var tourName: String?
        /// Open links of the tour.
        package var links: Int
        /// Its members, this node's included.
        package var members: Int
        /// Other members that are reachable: one less than `people.reachable`.
        package var membersReachable: Int
        /// nil without a tour, and when the tour is over for this node.
        package var people: PeopleCount?
        package var segments: [Segment]
        package var discovery: Discovery
        /// Whether multicast works on any network.
        package var multicast: MulticastState
        /// How many neighbours unicast datagrams reach.
        package var paths: PathCounts
        /// Our own messages that no other node is known to have.
        package var unsent: UInt64
        /// Events that other members have and this node lacks; nil when none are known.
        package var behind: Behind?
        /// `ready`, or `waiting` while every key that we hold is known to somebody who was removed; nil without a
        /// tour.
        package var sealing: String?
        /// Events that no server is known to have, by its own word or a member's.
        package var unsynced: UInt64
        /// Items and files of the notebook that have not been sent to the server.
        package var notebookPending: Int
        /// Why the notebook's last sync failed; nil if it went well.
        package var notebookProblem: NotebookRunError?
        package var rejected: [String: Int]
        /// How long the node has been running.
        package var uptimeSeconds: Int
        /// The path of the data directory.
        package var dataDirectory: String
        /// `file`, `passphrase` or `keyring`.
        package var storageKey: String
        /// Whether our log in this tour may be written: `ready`, `recovering`, `forked` or `retired`.
        package var ownLog: String?
        /// While our log is recovering: which members that waits for; else nil.
        package var recovery: Recovering?
        /// How much of our log's share is used up, in percent; nil without a tour.
        package var shareUsed: Int?
        /// The state of the tour for us; nil without one.
        package var state: TourState?
        /// Our acts of the last day that no longer count.
        package var voided: [VoidedAct]
        /// Lost members, and whether this node's member should answer their alarms.
        package var lost: [Lost]
        /// Whether a server's archive reads the tour's messages.
        package var archived: Bool
        /// How the tour stands with the server; nil without one.
        package var mailbox: MailboxStatus?
        /// The tour's files; nil without a tour.
        package var files: FilesStatus?
    }

    /// The node's state and that of a tour; nil: the chosen one.
    package func status(_ tour: String?) async throws -> Status {
        // A node without a tour has a status too.
        let session = sessions.isEmpty && (tour ?? "-") == "-" ? nil : try self.session(tour)
        let mailbox = await mailboxStatus(of: session)
        let (notebookPending, notebookProblem) = await (notebook.pending, notebook.problem)
        let now = NodeClock.now
        let people = session?.people(now: now)
        let unsent = try session.map { try unsentMessages(in: $0) } ?? 0
        return Status(
            nodeID: nodeID, name: name, port: port, tourID: session?.tour.hex,
            tourName: session?.record.name, links: session?.connections.count ?? 0,
            members: session?.group.roster.people.count ?? 0, membersReachable: people.map { $0.reachable - 1 } ?? 0,
            people: people, segments: segments, discovery: discoveryStatus,
            multicast: multicastState, paths: session.map { PathCounts(of: $0) } ?? PathCounts(), unsent: unsent,
            behind: session.flatMap { behind(in: $0, now: now) },
            sealing: session.map { $0.group.currentEpoch == nil ? "waiting" : "ready" },
            unsynced: session?.unsynced ?? 0, notebookPending: notebookPending,
            notebookProblem: notebookProblem, rejected: counters,
            uptimeSeconds: Int((now - startedAt).microseconds / 1_000_000), dataDirectory: settings.dataDirectory,
            storageKey: storageKeyWord, ownLog: session?.gossip.ownLogState.word,
            recovery: session.flatMap { Status.Recovering($0.gossip) }, shareUsed: session?.shareUsed,
            state: session?.state,
            voided: session.map { news(of: $0).voidedActs(wallMilliseconds: NodeClock.wallMilliseconds) } ?? [],
            lost: session.map(lostMembers) ?? [], archived: session?.group.roster.archive != nil, mailbox: mailbox,
            files: session?.files.status)
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
            var query = MessageQuery(afterPosition: last.map { MessagePosition.end(of: $0.event.header.clock) })
            let all = try store.count(session.tour, query)
            query.excludedAuthor = session.own
            let others = try store.count(session.tour, query)
            return UInt64(clamping: all - others)
        } catch {
            throw NodeError.store(error)
        }
    }

    private var discoveryStatus: Status.Discovery {
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

    /// The links of a tour, and the nodes in sight.
    package struct Peers: Encodable, Sendable {
        /// One link.
        package struct Link: Encodable, Sendable {
            /// The peer; nil: the roster does not name it yet.
            @Nullable package var memberID: String?
            package var name: String
            package var address: String
            package var port: Int
            /// `in` or `out`.
            package var direction: String
            /// `open` or `restricted`.
            package var state: String
            /// When it opened.
            package var since: String
            /// Whether unicast datagrams reach the peer; their round trip, and the loss in percent there or back.
            package var datagrams: PathQuality.State
            /// The round trip of datagrams; nil: not measured.
            @Nullable package var rttMilliseconds: Double?
            /// Datagrams lost there or back, in percent; nil: not measured.
            @Nullable package var lossPercent: Double?
            /// Bytes that wait to be sent.
            package var queuedBytes: Int
            /// The peer receives too slowly.
            package var lagging: Bool
        }

        /// A node that discovery found.
        package struct Seen: Encodable, Sendable {
            /// The name of its mDNS service.
            package var instance: String
            package var address: String
            package var port: Int
            /// Whether one of its tags belongs to the tour.
            package var matches: Bool
        }

        /// The tour's links.
        package var peers: [Link]
        /// Nodes that discovery found.
        package var candidates: [Seen]
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
                datagrams: path?.state ?? .off, rttMilliseconds: path?.roundTripMilliseconds,
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
