import TourDiscovery
import TourGossip
import TourGroup
import TourLink
import TourModel
import TourStore
import TourTransport
import TourWords

// What the node says of itself. Shapes: `Protocol/Schema/local-api.yaml`.
extension TourNode {
    package static let version = "0.1.0"

    package struct Status: Encodable, Sendable {
        /// Somebody who is lost.
        package struct Lost: Encodable, Sendable {
            package var name: String
            /// This node's member leads, and has not answered.
            package var unanswered: Bool
        }

        package struct Segment: Encodable, Sendable {
            package var interface: String
            package var addresses: [String]
            package var multicast: MulticastState
            /// Members heard there lately, and members who say that they hear us.
            package var heard: Int
            package var heardBy: Int
        }

        package struct Discovery: Encodable, Sendable {
            /// `running`, `starting`, `unavailable` or `off`.
            package var state: String
            @Nullable package var reason: Phrase?
        }

        /// Members near who have said what they hold of our log, and how many must.
        package struct Recovering: Encodable, Sendable {
            package var heard: Int
            package var needed: Int
        }

        package struct Behind: Encodable, Sendable {
            /// Of so many members' logs so many messages, names and changes of the tour.
            package var messages: UInt64
            package var members: Int
            package var since: String
        }

        package var nodeID: String
        package var version: String
        package var name: String
        package var port: Int
        @Nullable package var tourID: String?
        @Nullable package var tourName: String?
        package var links: Int
        package var members: Int
        /// Others that are in reach: one less than `people.reachable`.
        package var membersReachable: Int
        /// nil without a tour, and when it is over for this node.
        @Nullable package var people: PeopleCount?
        package var segments: [Segment]
        package var discovery: Discovery
        package var multicast: MulticastState
        package var paths: PathCounts
        /// Messages of our own that nobody else is known to have.
        package var unsent: UInt64
        /// What others say to have and is not here; nil when nothing is known of.
        @Nullable package var behind: Behind?
        /// `ready`, or `waiting` while no key is held that everybody who was removed lacks; nil without a tour.
        @Nullable package var sealing: String?
        /// Events that no server is known to have, by its own word or a member's.
        package var unsynced: UInt64
        /// Items and files of the notebook that the server has yet to hear of.
        package var notebookPending: Int
        /// How the notebook's last sync ended, if not well.
        @Nullable package var notebookProblem: SyncReport.Problem?
        package var rejected: [String: Int]
        package var uptimeSeconds: Int
        package var dataDirectory: String
        /// `file`, `passphrase` or `keyring`.
        package var storageKey: String
        /// Whether our log in this tour may be written: `ready`, `recovering`, `forked` or `retired`.
        @Nullable package var ownLog: String?
        /// While our log is recovering: whom that waits for; else nil.
        @Nullable package var recovery: Recovering?
        /// Of a hundred, how much of what our log may take is used up; nil without a tour.
        @Nullable package var shareUsed: Int?
        /// How the tour stands for us; nil without one.
        @Nullable package var state: TourState?
        /// Acts of ours in the last day that do not count any more.
        package var voided: [Phrase]
        /// Who is lost, by name, and whether this node's member should answer that.
        package var lost: [Lost]
        /// Whether a server's archive reads what is said in the tour.
        package var archived: Bool
        /// How the tour stands with the server; nil without one.
        @Nullable package var mailbox: MailboxStatus?
        /// What there is of files; nil without a tour.
        @Nullable package var files: FilesStatus?
    }

    package func status(_ tour: String?) async throws -> Status {
        // A node without a tour has a status too.
        let session = sessions.isEmpty && (tour ?? "-") == "-" ? nil : try self.session(tour)
        let mailbox = await mailboxStatus(of: session)
        let now = NodeClock.now
        let people = session?.people(now: now)
        let notebook = notebookStanding
        let unsent = try session.map { try unsentMessages(in: $0) } ?? 0
        return Status(
            nodeID: nodeID, version: Self.version, name: name, port: port, tourID: session?.tour.hex,
            tourName: session?.record.name, links: session?.connections.count ?? 0,
            members: session?.group.roster.people.count ?? 0, membersReachable: people.map { $0.reachable - 1 } ?? 0,
            people: people, segments: segments, discovery: discoveryStatus,
            multicast: multicastState, paths: session.map { PathCounts(of: $0) } ?? PathCounts(), unsent: unsent,
            behind: session.flatMap { behind(in: $0, now: now) },
            sealing: session.map { $0.group.currentEpoch == nil ? "waiting" : "ready" },
            unsynced: session?.unsynced ?? 0, notebookPending: notebook.pending, notebookProblem: notebook.problem,
            rejected: counters,
            uptimeSeconds: Int((now - startedAt).microseconds / 1_000_000), dataDirectory: settings.dataDirectory,
            storageKey: storageKeyWord, ownLog: session?.gossip.ownLogState.word,
            recovery: session.flatMap { Status.Recovering($0.gossip) }, shareUsed: session?.shareUsed,
            state: session?.state,
            voided: session.map { news(of: $0).voidWords(wallMilliseconds: NodeClock.wallMilliseconds) } ?? [],
            lost: session.map(lostMembers) ?? [], archived: session?.group.roster.archive != nil, mailbox: mailbox,
            files: session.map { filesStatus(of: $0) })
    }

    private func lostMembers(in session: TourSession) -> [Status.Lost] {
        openAlarms(in: session).map { Status.Lost(name: $0.name, unanswered: $0.leads && $0.answered == nil) }
    }

    private func behind(in session: TourSession, now: Instant) -> Status.Behind? {
        session.gaps.note(session.gossip.missing, at: now)
        return session.gaps.report.map { report in
            let since = NodeClock.wallMicroseconds - (now - report.since).microseconds
            return Status.Behind(
                messages: report.events, members: report.members, since: Timestamp.text(microseconds: since))
        }
    }

    /// Messages of our own behind the last event that others are known to have; names and control events are none.
    private func unsentMessages(in session: TourSession) throws -> UInt64 {
        let sent: UInt64 = session.board.marks[session.own]?.sentThrough ?? 0
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
        guard discovery != nil else {
            return Status.Discovery(
                state: "off", reason: settings.isOffline ? Phrase("offline") : Phrase("started with --no-mdns"))
        }
        switch discoveryState {
        case .starting: return Status.Discovery(state: "starting", reason: nil)
        case .running: return Status.Discovery(state: "running", reason: nil)
        case .unavailable(let reason): return Status.Discovery(state: "unavailable", reason: reason)
        }
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

    /// Addresses that others on our networks can dial: IPv4 first, no link-local ones, which mean nothing elsewhere.
    func ownAddresses() -> [String] {
        let all = segments.flatMap(\.addresses).filter { !$0.hasPrefix("fe80") && !$0.hasPrefix("127.") && $0 != "::1" }
        return all.filter { !$0.contains(":") } + all.filter { $0.contains(":") }
    }

    package struct Peers: Encodable, Sendable {
        package struct Link: Encodable, Sendable {
            @Nullable package var memberID: String?
            package var name: String
            package var address: String
            package var port: Int
            package var direction: String
            /// `open` or `restricted`.
            package var state: String
            package var since: String
            /// Whether datagrams go to it; their round trip, and of a hundred how many were lost there or back.
            package var datagrams: PathQuality.State
            @Nullable package var rttMilliseconds: Double?
            @Nullable package var lossPercent: Double?
            package var queuedBytes: Int
            package var lagging: Bool
        }

        package struct Seen: Encodable, Sendable {
            package var instance: String
            package var address: String
            package var port: Int
            /// Whether its tags say that it belongs to the tour.
            package var matches: Bool
        }

        package var peers: [Link]
        package var candidates: [Seen]
    }

    /// An IPv4 address without the IPv6 one around it, in which a socket of both families shows it.
    package static func plain(_ address: String) -> String {
        let mapping = "::ffff:"
        guard address.hasPrefix(mapping), address.contains(".") else { return address }
        return String(address.dropFirst(mapping.count))
    }

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
