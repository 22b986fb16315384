import Glibc
import TourDiscovery
import TourGossip
import TourGroup
import TourImage
import TourModel
import TourStore

// Tests of what a tour depends on, with advice in words for a guide.
extension TourNode {
    package struct Check: Encodable, Sendable {
        package enum State: String, Encodable, Sendable {
            case ok, warning, failed
        }

        package var name: String
        package var state: State
        package var message: String
        /// What to do; empty when all is well.
        package var advice: String
    }

    package func doctor() async -> [Check] {
        let server = settings.isOffline ? [] : await serverChecks()
        // Without a node nothing listens and nothing looks for others: the network is not to blame.
        guard !settings.isOffline else {
            return [Check.noNode, clockCheck, diskCheck, keyCheck] + picturesCheck + ownLogChecks + shareChecks
                + voidChecks
        }
        return [discoveryCheck, networkCheck, linksCheck, multicastCheck] + pathChecks + server
            + [clockCheck, diskCheck, keyCheck] + picturesCheck + ownLogChecks + shareChecks + voidChecks
    }

    private var discoveryCheck: Check {
        guard discovery != nil else {
            return Check(
                name: "discovery", state: .warning, message: "mDNS is switched off.",
                advice: "Others reach this node only by --peer, or by addresses that they remember.")
        }
        switch discoveryState {
        case .running:
            let seen = Set(addressBook.candidates.values.map(\.instance)).count
            return Check(
                name: "discovery", state: .ok, message: "Avahi is running; announced: \(counted(seen, "other node")).",
                advice: "")
        case .starting:
            return Check(
                name: "discovery", state: .warning, message: "Avahi is being asked; no answer yet.",
                advice: "Try again in a few seconds.")
        case .unavailable(let reason) where hasDatagrams:
            return Check(
                name: "discovery", state: .warning, message: "Avahi is unavailable: \(reason)",
                advice: "Nodes find each other by datagrams all the same. Where these are held back, see to that "
                    + "(`Scripts/run` installs and starts what is needed), or give others your address for --peer.")
        case .unavailable(let reason):
            return Check(
                name: "discovery", state: .failed, message: "Avahi is unavailable: \(reason)",
                advice: "See to that (`Scripts/run` installs and starts what is needed), or give others your address "
                    + "for --peer: " + ownAddresses().map { "\($0) port \(port)" }.joined(separator: ", "))
        }
    }

    /// Whether beacons go out on some network: members and joiners find us by them.
    private var hasDatagrams: Bool { multicastState != .off && multicastState != .blocked }

    private var networkCheck: Check {
        let addresses = ownAddresses()
        guard addresses.isEmpty else {
            return Check(
                name: "network", state: .ok,
                message: "Reachable at \(addresses.joined(separator: ", ")), port \(port).",
                advice: "")
        }
        return Check(
            name: "network", state: .failed, message: "No network interface is up.",
            advice: "Join the group's Wi-Fi, or plug in a cable.")
    }

    private var linksCheck: Check {
        guard let session = try? session(nil) else {
            return Check(
                name: "links", state: .warning, message: "This node is in no tour.",
                advice: "Make one with `tour-chat tour create NAME` or enter one with `tour-chat join CODE`.")
        }
        guard session.isActive || session.state == .closed else {
            return Check(
                name: "links", state: .warning, message: session.inactivity.message,
                advice: session.state == .left ? "" : "tour-chat join CODE, with a new code of a guide.")
        }
        let others = session.group.roster.people.count - 1
        if !session.connections.isEmpty || others == 0 {
            return Check(
                name: "links", state: .ok,
                message: "\(counted(session.connections.count, "link")) in “\(session.record.name)”.", advice: "")
        }
        let seen = addressBook.candidates.isEmpty
        return Check(
            name: "links", state: .failed,
            message: others == 1 ? "The only other member is not linked." : "None of the \(others) others is linked.",
            advice: seen
                ? "Nobody is to be seen. If the others are on the same Wi-Fi, it may keep devices apart "
                    + "(client isolation): use a hotspot of your own."
                : "Nodes are announced but cannot be reached: this Wi-Fi may forbid device to device. "
                    + "Use a hotspot of your own."
        )
    }

    private var clockCheck: Check {
        let own = NodeClock.wallMilliseconds
        if own >= NodeTime.builtAt, let time = sessions.values.map(\.wallMilliseconds).first(where: { $0 != own }),
            time - own > Self.clockLagMax
        {
            return Check(
                name: "clock", state: .warning, message: "The clock is more than a day behind those of other members.",
                advice: "What you write is dated by theirs; set the clock so that the times shown are right.")
        }
        if own >= NodeTime.builtAt {
            return Check(name: "clock", state: .ok, message: "The clock is plausible.", advice: "")
        }
        return Check(
            name: "clock", state: .warning, message: "The clock shows a time before this program was made.",
            advice: "Messages keep their order all the same; set the clock so that the times shown are right.")
    }

    private static let clockLagMax: Int64 = 86_400_000

    private var diskCheck: Check {
        var system = statvfs()
        guard statvfs(settings.dataDirectory, &system) == 0 else {
            return Check(
                name: "disk", state: .failed, message: "The data directory cannot be read.",
                advice: "Check \(settings.dataDirectory).")
        }
        let free = UInt64(system.f_bavail) * UInt64(system.f_frsize) / 1_048_576
        return Check(
            name: "disk", state: free < 100 ? .warning : .ok, message: "\(free) MiB free.",
            advice: free < 100 ? "Free some space: a full disk refuses new messages." : "")
    }

    /// Nothing where pictures can be prepared.
    private var picturesCheck: [Check] {
        guard let missing = PictureTool().missingProgram() else { return [] }
        return [
            Check(
                name: "pictures", state: .warning, message: "Pictures cannot be prepared; files can be sent.",
                advice: missing)
        ]
    }

    private var keyCheck: Check {
        let thief = "whoever takes this machine sees who wrote when, and how much"
        switch keyHome {
        case .file:
            return Check(
                name: "storage key", state: .warning,
                message:
                    "The key lies in a file that only you can read: whoever takes this machine can read everything.",
                advice: "Seal it: tour-chat passphrase set.")
        case .passphrase:
            return Check(
                name: "storage key", state: .ok, message: "Sealed under a passphrase: \(thief).", advice: "")
        case .keyring:
            return Check(
                name: "storage key", state: .ok,
                message: "In the keyring of your session, as safe as your password there: \(thief).", advice: "")
        }
    }

    /// A line for each tour whose log is not as it should be.
    private var ownLogChecks: [Check] {
        let now = NodeClock.now
        return sessions.values.sorted { $0.tour < $1.tour }.compactMap { session -> Check? in
            let state = session.gossip.ownLogState
            if let heard = session.twinHeardAt, now - heard < Self.twinShownMax, !session.isOut, !session.hasLostKey {
                return Check.twin(session.record.name)
            }
            switch state {
            case .ready: return nil
            case .restored, .copied:
                return Check(
                    name: "own log", state: .warning, message: session.silence.message,
                    advice: "Bring a member near. If nothing was written since the copy was made: "
                        + "tour-chat tour recover --nothing-since. Else: --new-key.")
            case .forked, .retired:
                return Check(
                    name: "own log", state: .warning, message: session.silence.message,
                    advice: "tour-chat join CODE, with a code of the guide.")
            }
        }
    }

    /// The other device gives a sign of life every few seconds while it runs.
    private static let twinShownMax: Duration = .seconds(600)

    /// A line for each act of ours that does not count any more.
    private var voidChecks: [Check] {
        let wall = NodeClock.wallMilliseconds
        return sessions.values.sorted { $0.tour < $1.tour }.flatMap { session in
            news(of: session).voidWords(wallMilliseconds: wall).map { words in
                Check(
                    name: "your acts", state: .warning, message: words,
                    advice: "'tour-chat members' shows how things stand; ask who ranks above you to do it.")
            }
        }
    }
}

extension TourNode.Check {
    static let noNode = TourNode.Check(
        name: "node", state: .failed, message: "No node is running here.", advice: "Start one: tour-chat run")

    static func twin(_ tour: String) -> TourNode.Check {
        TourNode.Check(
            name: "own log", state: .warning,
            message: "Another device with your key in “\(tour)” is on the air: one of the two is a copy.",
            advice: "Stop one of them for good, best before both have written. To keep both: give the key up on the "
                + "copy (tour-chat tour recover --new-key), and join there with a code.")
    }
}
