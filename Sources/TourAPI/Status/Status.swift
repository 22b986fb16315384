import TourModel

/// How the node is doing, and one tour. Source: `Protocol/Schema/local-api.yaml`, `Status`.
package struct Status: Encodable, Hashable, JSONObject {
    /// A lost member.
    package struct Lost: Encodable, Hashable, JSONObject {
        package var name: String
        /// This node's member leads, and has not answered the alarm.
        package var unanswered: Bool
        /// The device that lets a guest in; nil for a member.
        @Nullable package var by: GuestHost?
    }

    /// One network.
    package struct Segment: Encodable, Hashable, JSONObject {
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

    /// Members near us who have told us what they hold of our log, and how many must.
    package struct Recovering: Encodable, Hashable, JSONObject {
        /// Members near us who have told us what they hold of our log.
        package var heard: Int
        /// How many must.
        package var needed: Int
    }

    /// Events that other members have and this node lacks.
    package struct Behind: Encodable, Hashable, JSONObject {
        /// How many messages, names and changes of the tour are missing, and of how many members' logs.
        package var messages: UInt64
        /// How many members' logs have missing events.
        package var members: Int
        /// Since when something has been missing.
        package var since: String
    }

    /// The state of mDNS.
    package struct Discovery: Encodable, Hashable, JSONObject {
        /// `running`, `starting`, `unavailable` or `off`.
        package var state: String
        /// Why it is not running; nil: not known, or it runs.
        @Nullable package var reason: String?
    }

    /// How the tour stands with the server.
    package struct Mailbox: Encodable, Hashable, JSONObject {
        /// The server's address.
        package var server: String
        /// The account that is logged in; nil: none.
        @Nullable package var account: String?
        /// `waiting` before the first sync, `syncing`, `synced`, `failed`.
        package var state: String
        /// When the server last answered, by its clock.
        @Nullable package var lastSync: String?
        /// Seconds since the server's last answer; nil: none since the node started.
        @Nullable package var answeredAgo: Int?
        /// 0 to 100, of the sync in progress.
        package var percent: Int
        /// Events that the server rejects, counted by its codes.
        package var refused: [String: Int]
        /// The server's clock less ours, in seconds; nil before the server answered.
        @Nullable package var clockLead: Int64?
        /// Why the last sync failed; nil if it went well.
        @Nullable package var problem: Problem?
    }

    /// A random id of this node, kept in the store.
    package var nodeID: String
    package var version: String
    /// The first digits of the commit of the build, with `+` where its sources had changed; nil: not known.
    @Nullable package var commit: String?
    /// The display name of this node's member.
    package var name: String
    /// The port that we listen on; 0: none.
    package var port: Int
    /// The tour; nil: the node has none.
    @Nullable package var tourID: String?
    @Nullable package var tourName: String?
    /// Open links of the tour.
    package var links: Int
    /// Its members, this node's included.
    package var members: Int
    /// Other members that are reachable: one less than `people.reachable`.
    package var membersReachable: Int
    /// nil without a tour, and when the tour is over for this node.
    @Nullable package var people: PeopleCount?
    package var segments: [Segment]
    package var discovery: Discovery
    /// Whether multicast works on any network.
    package var multicast: MulticastState
    /// How many neighbours unicast datagrams reach.
    package var paths: PathCounts
    /// Our own messages that no other node is known to have.
    package var unsent: UInt64
    /// Events that other members have and this node lacks; nil when none are known.
    @Nullable package var behind: Behind?
    /// `ready`, or `waiting` while every key that we hold is known to somebody who was removed; nil without a
    /// tour.
    @Nullable package var sealing: String?
    /// Events that no server is known to have, by its own word or a member's.
    package var unsynced: UInt64
    /// Items and files of the notebook that have not been sent to the server.
    package var notebookPending: Int
    /// Why the notebook's last sync failed; nil if it went well.
    @Nullable package var notebookProblem: Problem?
    package var rejected: [String: Int]
    /// How long the node has been running.
    package var uptimeSeconds: Int
    /// The path of the data directory.
    package var dataDirectory: String
    /// `file`, `passphrase` or `keyring`.
    package var storageKey: String
    /// Whether our log in this tour may be written: `ready`, `recovering`, `forked` or `retired`.
    @Nullable package var ownLog: String?
    /// While our log is recovering: which members that waits for; else nil.
    @Nullable package var recovery: Recovering?
    /// How much of our log's share is used up, in percent; nil without a tour.
    @Nullable package var shareUsed: Int?
    /// The state of the tour for us; nil without one.
    @Nullable package var state: TourState?
    /// Our acts of the last day that no longer count.
    package var voided: [String]
    /// Lost members, and whether this node's member should answer their alarms.
    package var lost: [Lost]
    /// Whether a server's archive reads the tour's messages.
    package var archived: Bool
    /// How the tour stands with the server; nil without one.
    @Nullable package var mailbox: Mailbox?
    /// The tour's files; nil without a tour.
    @Nullable package var files: FilesStatus?
}

/// The name of this node's member, in the request that changes it and in its answer.
package struct NodeName: Codable, JSONObject {
    package var name: String
}
