import Glibc
import TourDiscovery
import TourGossip
import TourGroup
import TourImage
import TourModel
import TourRuntime
import TourStore
import TourWords

// Checks of everything that a tour depends on, with advice in words for a guide.
extension TourNode {
    /// The result of one check.
    package struct Check: Encodable, Sendable {
        /// How well it went.
        package enum State: String, Encodable, Sendable {
            case ok, warning, failed
        }

        /// A stable name of what was checked.
        package var name: String
        package var state: State
        package var message: Phrase
        /// Advice; empty when all is well.
        package var advice: Phrase
    }

    /// Runs every check.
    package func doctor() async -> [Check] {
        let server = settings.isOffline ? [] : await serverChecks()
        // Without a running node nothing listens and nothing looks for others: the network is not to blame.
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
                name: "discovery", state: .warning, message: Phrase("mDNS is switched off."),
                advice: Phrase("Others reach this node only by --peer, or by addresses that they remember."))
        }
        switch discoveryState {
        case .running:
            let seen = Set(addressBook.candidates.values.map(\.instance)).count
            return Check(
                name: "discovery", state: .ok,
                message: Phrase(
                    seen, one: "Avahi is running; announced: \(seen) other node.",
                    other: "Avahi is running; announced: \(seen) other nodes."), advice: .empty)
        case .starting:
            return Check(
                name: "discovery", state: .warning, message: Phrase("Avahi is being asked; no answer yet."),
                advice: Phrase("Try again in a few seconds."))
        case .unavailable(let reason) where hasDatagrams:
            return Check(
                name: "discovery", state: .warning, message: Phrase("Avahi is unavailable: \(reason)"),
                advice: Phrase(
                    """
                    Nodes find each other by datagrams all the same. Where these are held back, see to that \
                    (`Scripts/run` installs and starts what is needed), or give others your address for --peer.
                    """))
        case .unavailable(let reason):
            return Check(
                name: "discovery", state: .failed, message: Phrase("Avahi is unavailable: \(reason)"),
                advice: Phrase(
                    """
                    See to that (`Scripts/run` installs and starts what is needed), or give others your address for \
                    --peer: \(Phrase(list: ownAddresses().map { Phrase("\($0) port \(port)") }))
                    """))
        }
    }

    /// Whether multicast beacons are sent on some network: members and joiners find us by them.
    private var hasDatagrams: Bool { multicastState != .off && multicastState != .blocked }

    private var networkCheck: Check {
        let addresses = ownAddresses()
        guard addresses.isEmpty else {
            return Check(
                name: "network", state: .ok,
                message: Phrase("Reachable at \(Phrase(list: addresses)), port \(port)."),
                advice: .empty)
        }
        return Check(
            name: "network", state: .failed, message: Phrase("No network interface is up."),
            advice: Phrase("Join the group's Wi-Fi, or plug in a cable."))
    }

    private var linksCheck: Check {
        guard let session = try? session(nil) else {
            return Check(
                name: "links", state: .warning, message: Phrase("This node is in no tour."),
                advice: Phrase("Make one with `tour-chat tour create NAME` or enter one with `tour-chat join CODE`."))
        }
        guard session.isActive || session.state == .closed else {
            return Check(
                name: "links", state: .warning, message: session.inactivity.phrase,
                advice: session.state == .left ? .empty : Phrase("tour-chat join CODE, with a new code of a guide."))
        }
        return .links(
            session.connections.count, to: session.group.roster.people.count { $0.id != session.own },
            of: session.record.name, isClosed: session.state == .closed, seesNobody: addressBook.candidates.isEmpty)
    }

    private var clockCheck: Check {
        let own = NodeClock.wallMilliseconds
        if own >= NodeTime.builtAt, let time = sessions.values.map(\.wallMilliseconds).first(where: { $0 != own }),
            time - own > Self.clockLagMax
        {
            return Check(
                name: "clock", state: .warning,
                message: Phrase("The clock is more than a day behind those of other members."),
                advice: Phrase("What you write is dated by theirs; set the clock so that the times shown are right."))
        }
        if own >= NodeTime.builtAt {
            return Check(name: "clock", state: .ok, message: Phrase("The clock is plausible."), advice: .empty)
        }
        return Check(
            name: "clock", state: .warning, message: Phrase("The clock shows a time before this program was made."),
            advice: Phrase("Messages keep their order all the same; set the clock so that the times shown are right."))
    }

    private static let clockLagMax: Int64 = 86_400_000

    private var diskCheck: Check {
        guard let room = FreeSpace(at: settings.dataDirectory) else {
            return Check(
                name: "disk", state: .failed, message: Phrase("The data directory cannot be read."),
                advice: Phrase("Check \(settings.dataDirectory)."))
        }
        let free = room.freeBytes / 1_048_576
        return Check(
            name: "disk", state: free < 100 ? .warning : .ok,
            message: free < 10_240 ? Phrase("\(free) MiB free.") : Phrase("\(free >> 10) GiB free."),
            advice: free < 100 ? Phrase("Free some space: a full disk refuses new messages.") : .empty)
    }

    /// A line only where pictures cannot be prepared.
    private var picturesCheck: [Check] {
        guard let missing = PictureTool().missingProgram() else { return [] }
        return [
            Check(
                name: "pictures", state: .warning, message: Phrase("Pictures cannot be prepared; files can be sent."),
                advice: missing)
        ]
    }

    private var keyCheck: Check {
        switch keyHome {
        case .file:
            return Check(
                name: "storage key", state: .warning,
                message: Phrase(
                    """
                    Data here is not protected by a passphrase: anyone with this computer can read your \
                    messages.
                    """),
                advice: Phrase("Set a passphrase: tour-chat passphrase set."))
        case .passphrase:
            return Check(
                name: "storage key", state: .ok,
                message: Phrase(
                    "Protected by a passphrase: without it, this computer only shows who wrote when, and how much."),
                advice: .empty)
        case .keyring:
            return Check(
                name: "storage key", state: .ok,
                message: Phrase(
                    """
                    Protected by the keyring of your session, as safe as your password there: without it, this \
                    computer only shows who wrote when, and how much.
                    """), advice: .empty)
        }
    }

    /// A line for each tour whose own log is not in order.
    private var ownLogChecks: [Check] {
        let now = NodeClock.now
        return sessions.values.sorted { $0.tour < $1.tour }.compactMap { session -> Check? in
            let state = session.gossip.ownLogState
            if let heard = session.machine.twinSeenAt, now - heard < Self.twinShownMax, !session.isOut,
                !session.machine.hasLostKey
            {
                return Check.twin(session.record.name)
            }
            switch state {
            case .ready: return nil
            case .restored, .copied:
                return Check(
                    name: "own log", state: .warning, message: session.silence.phrase,
                    advice: Self.recoveryAdvice(session.gossip.ownLogWitnesses))
            case .forked, .retired:
                return Check(
                    name: "own log", state: .warning, message: session.silence.phrase,
                    advice: Phrase("tour-chat join CODE, with a code of the guide."))
            }
        }
    }

    private static func recoveryAdvice(_ witnesses: OwnLogWitnesses) -> Phrase {
        witnesses.needed > 1
            ? Phrase(
                """
                Bring \(witnesses.needed) members near: one alone could hide what you wrote last. If they cannot \
                come and nothing was written since the copy was made: tour-chat tour recover --nothing-since. Else: \
                --new-key.
                """)
            : Phrase(
                """
                Bring a member near. If nothing was written since the copy was made: tour-chat tour \
                recover --nothing-since. Else: --new-key.
                """)
    }

    /// A running second device gives a sign of life every few seconds.
    private static let twinShownMax: Duration = .seconds(600)

    /// A line for each act of ours that no longer counts.
    private var voidChecks: [Check] {
        let wall = NodeClock.wallMilliseconds
        return sessions.values.sorted { $0.tour < $1.tour }.flatMap { session in
            news(of: session).voidWords(wallMilliseconds: wall).map { words in
                Check(
                    name: "your acts", state: .warning, message: words,
                    advice: Phrase("'tour-chat members' shows how things stand; ask who ranks above you to do it."))
            }
        }
    }
}

extension TourNode.Check {
    /// - Parameters:
    ///   - others: the tour's other members, without those who left or were removed.
    ///   - seesNobody: no node is announced on the networks here.
    package static func links(
        _ links: Int, to others: Int, of tour: String, isClosed: Bool, seesNobody: Bool
    ) -> TourNode.Check {
        guard others > 0 else {
            return TourNode.Check(
                name: "links", state: .ok, message: Phrase("Nobody else is in “\(tour)”."),
                advice: isClosed ? .empty : Phrase("'tour-chat tour invite' shows the code that lets others in."))
        }
        guard links == 0 else {
            return TourNode.Check(
                name: "links", state: .ok,
                message: Phrase(links, one: "\(links) link in “\(tour)”.", other: "\(links) links in “\(tour)”."),
                advice: .empty)
        }
        return TourNode.Check(
            name: "links", state: .failed,
            message: Phrase(
                others, one: "The only other member is not linked.", other: "None of the \(others) others is linked."),
            advice: seesNobody
                ? Phrase(
                    """
                    Nobody is to be seen. If the others are on the same Wi-Fi, it may keep devices apart (client \
                    isolation): use a hotspot of your own.
                    """)
                : Phrase(
                    """
                    Nodes are announced but cannot be reached: this Wi-Fi may forbid device to device. Use a hotspot \
                    of your own.
                    """))
    }

    static let noNode = TourNode.Check(
        name: "node", state: .failed, message: Phrase("No node is running here."),
        advice: Phrase("Start one: tour-chat run"))

    static func twin(_ tour: String) -> TourNode.Check {
        TourNode.Check(
            name: "own log", state: .warning,
            message: Phrase("Another device with your key in “\(tour)” is online: one of the two is a copy."),
            advice: Phrase(
                """
                Stop one of them for good, best before both have written. To keep both: give the key up on the \
                copy (tour-chat tour recover --new-key), and join there with a code.
                """))
    }
}
