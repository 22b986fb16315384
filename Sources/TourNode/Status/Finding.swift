import TourDiscovery
import TourImage
import TourMailbox
import TourStore

/// What one check of the doctor found. Its words, and the advice, are in `TourPresentation`.
package enum Finding: Equatable, Sendable {
    /// How well a check went.
    package enum State: String, Sendable {
        case ok, warning, failed
    }

    /// How others find this node while mDNS does not work.
    package enum Fallback: Hashable, Sendable {
        /// By datagrams.
        case datagrams
        /// By these addresses, and this port, which the user has to give them.
        case addresses([String], port: Int)
    }

    /// How many members one datagram reaches at once.
    package struct Reach: Hashable, Sendable {
        /// The interface's name.
        package var interface: String
        /// How many members hear us there.
        package var members: Int

        package init(interface: String, members: Int) {
            self.interface = interface
            self.members = members
        }
    }

    /// No node is running.
    case noNode
    /// mDNS is switched off; it runs, and so many other nodes are announced; it was asked; it does not work.
    case discoveryOff, discoveryRuns(announced: Int), discoveryStarts
    case discoveryFails(DiscoveryState, instead: Fallback)
    /// Addresses at which the node is reachable; a network that has none that others could type; none.
    case reachable([String], port: Int), nearOnly, unreachable
    /// The node is in no tour.
    case noTour
    /// Nothing is linked for the tour, for this reason.
    case inactive(NodeError)
    /// Nobody else is in this tour; there are so many links; there is none to any of the others.
    case alone(String, isClosed: Bool), linked(Int, String), notLinked(others: Int, seesNobody: Bool)
    /// Multicast is switched off; it is blocked on these interfaces; nobody is near; it works.
    case multicastOff, multicastBlocked([String]), multicastUntested, multicastWorks([Reach])
    /// Datagrams do not reach these of so many neighbours.
    case pathsBlocked([String], of: Int)
    /// Datagrams reach so many neighbours, with the longest round trip in milliseconds and the worst loss in percent.
    case paths(Int, milliseconds: Int?, lost: Int)
    /// How this node stands with its server.
    case server(ServerFinding)
    /// The clock is right; it is behind those of members; it shows a time before this program was made.
    case clockRight, clockBehind, clockBeforeProgram
    /// The data directory cannot be read; so many MiB are free.
    case diskUnreadable(String), diskFree(mebibytes: UInt64)
    /// This program is missing, by which pictures are prepared.
    case noPictures(missing: PictureProgram)
    /// Guests are not let in by https, for this reason.
    case noHTTPS(String)
    /// Where the storage key is.
    case storageKey(StorageKeyFile.Home)
    /// Another device with our key in this tour is online.
    case twin(String)
    /// Nothing can be written to a tour, for this reason.
    case silent(NodeError)
    /// So much of our share of a tour is used up, in percent; all of it.
    case shareUsed(percent: Int, String), shareFull(String)
    /// Our share for guiding a tour is used up.
    case guidingFull(String)
    /// The share of this member in a tour is used up.
    case memberShareFull(String, tour: String)
    /// An act of ours does not count.
    case voided(VoidedAct)

    /// A stable name of what was checked.
    package var name: String {
        switch self {
        case .noNode: "node"
        case .discoveryOff, .discoveryRuns, .discoveryStarts, .discoveryFails: "discovery"
        case .reachable, .nearOnly, .unreachable: "network"
        case .noTour, .inactive, .alone, .linked, .notLinked: "links"
        case .multicastOff, .multicastBlocked, .multicastUntested, .multicastWorks: "multicast"
        case .pathsBlocked, .paths: "datagrams"
        case .server(let finding): finding.name
        case .clockRight, .clockBehind, .clockBeforeProgram: "clock"
        case .diskUnreadable, .diskFree: "disk"
        case .noPictures: "pictures"
        case .noHTTPS: "https"
        case .storageKey: "storage key"
        case .twin, .silent: "own log"
        case .shareUsed, .shareFull, .guidingFull, .memberShareFull: "share"
        case .voided: "your acts"
        }
    }

    /// How well the check went.
    package var state: State {
        switch self {
        case .noNode, .discoveryFails(_, instead: .addresses), .unreachable, .notLinked, .diskUnreadable, .shareFull:
            .failed
        case .discoveryOff, .discoveryStarts, .discoveryFails(_, instead: .datagrams), .nearOnly, .noTour, .inactive,
            .multicastOff, .multicastBlocked, .pathsBlocked, .clockBehind, .clockBeforeProgram, .noPictures,
            .noHTTPS, .storageKey(.file), .twin, .silent, .shareUsed, .guidingFull, .memberShareFull, .voided:
            .warning
        case .discoveryRuns, .reachable, .alone, .linked, .multicastUntested, .multicastWorks, .paths, .clockRight,
            .storageKey:
            .ok
        case .diskFree(let mebibytes): mebibytes < Self.mebibytesFreeMin ? .warning : .ok
        case .server(let finding): finding.state
        }
    }

    /// How the node's network is.
    /// - Parameters:
    ///   - own: the addresses that nodes on other networks can dial.
    ///   - all: those of every interface, also link-local ones.
    ///   - hasLinks: whether another node is linked.
    package static func network(own: [String], all: [String], hasLinks: Bool, port: Int) -> Finding {
        guard own.isEmpty else { return .reachable(own, port: port) }
        return hasLinks || all.contains { $0.lowercased().hasPrefix("fe80") } ? .nearOnly : .unreachable
    }

    /// With less free a disk soon refuses new messages.
    private static let mebibytesFreeMin: UInt64 = 100
}

/// What the doctor found about the server.
package enum ServerFinding: Equatable, Sendable {
    /// None is set.
    case none
    /// This one is set, and there is no tour.
    case noTour(String)
    /// This one has not answered yet.
    case asked(String)
    /// This one answered so many seconds ago, and lacks so many events.
    case reached(String, secondsAgo: Int, waiting: Int, isSyncing: Bool)
    /// The last sync failed.
    case failed(String, APIError, ServerStanding.Trouble)
    /// The server rejects so many events.
    case refuses(Int)
    /// The server's clock less ours, in milliseconds.
    case clockLead(Int64)

    var name: String {
        switch self {
        case .none, .noTour, .asked, .reached, .failed, .refuses: "server"
        case .clockLead: "clock"
        }
    }

    var state: Finding.State {
        switch self {
        case .none, .noTour, .reached: .ok
        case .asked, .failed, .refuses, .clockLead: .warning
        }
    }
}
