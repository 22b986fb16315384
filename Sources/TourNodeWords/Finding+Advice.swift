import TourImage
import TourNode
import TourPresentation
import TourStore
import TourWords

extension Finding {
    /// What the user can do; empty when all is well.
    package func advice(on surface: any Surface) -> Phrase {
        switch self {
        case .noNode: Phrase("Start one: \(surface.name(of: .run(.plain)))")
        case .discoveryOff, .discoveryRuns, .discoveryStarts, .discoveryFails, .reachable, .nearOnly, .unreachable,
            .multicastOff, .multicastBlocked, .multicastUntested, .multicastWorks, .pathsBlocked, .paths:
            networkAdvice(on: surface)
        case .noTour:
            Phrase(
                "Make one with \(surface.name(of: .createTour)) or enter one with \(surface.name(of: .joinTour)).")
        case .inactive(.left), .linked, .alone(_, isClosed: true): .empty
        case .inactive: Phrase("\(surface.name(of: .joinTour)), with a new code of a guide.")
        case .alone(_, isClosed: false): Phrase("\(surface.name(of: .invite)) shows the code that lets others in.")
        case .notLinked(_, let seesNobody): Self.advice(onLinks: seesNobody, surface)
        case .server(let finding): finding.advice(on: surface)
        case .clockRight: .empty
        case .clockBehind: Phrase("What you write is dated by theirs; set the clock so that the times shown are right.")
        case .clockBeforeProgram:
            Phrase("Messages keep their order all the same; set the clock so that the times shown are right.")
        case .diskUnreadable(let directory): Phrase("Check \(directory).")
        case .diskFree: state == .ok ? .empty : Phrase("Free some space: a full disk refuses new messages.")
        case .noPictures(let program): program.advice
        case .noHTTPS: Phrase("By http they are. The node starts it again by itself; the log says how often.")
        case .storageKey(.file): Phrase("Set a passphrase: \(surface.name(of: .setPassphrase)).")
        case .storageKey: .empty
        case .silent(.recovering(_, _, let needed)): Self.advice(onRecovery: needed, surface)
        case .silent: Phrase("\(surface.name(of: .joinTour)), with a code of the guide.")
        case .twin:
            Phrase(
                """
                Stop one of them for good, best before both have written. To keep both: give the key up on the \
                copy (\(surface.name(of: .giveKeyUp))), and join there with a code.
                """)
        case .shareUsed, .shareFull, .memberShareFull:
            Phrase("Who leaves the tour and comes back with a new code has a new share; what was written stays.")
        case .guidingFull: Phrase("Another guide lets people in: give somebody that role.")
        case .voided:
            Phrase("\(surface.name(of: .listMembers)) shows how things stand; ask who ranks above you to do it.")
        }
    }

    /// What brings others into reach.
    private func networkAdvice(on surface: any Surface) -> Phrase {
        switch self {
        case .discoveryOff: Phrase("Others reach this node only by --peer, or by addresses that they remember.")
        case .discoveryStarts: Phrase("Try again in a few seconds.")
        case .discoveryFails(_, instead: .datagrams):
            Phrase(
                """
                Nodes find each other by datagrams all the same. Where these are held back, see to that \
                (`Scripts/run` installs and starts what is needed), or give others your address for --peer.
                """)
        case .discoveryFails(_, instead: .addresses(let addresses, let port)):
            Phrase(
                """
                See to that (`Scripts/run` installs and starts what is needed), or give others your address for \
                --peer: \(Phrase(list: addresses.map { Phrase("\($0) port \(port)") }))
                """)
        case .nearOnly:
            Phrase("For guests join a Wi-Fi with a router, or make a hotspot: \(surface.name(of: .hotspot)).")
        case .unreachable: Phrase("Join the group's Wi-Fi, or plug in a cable.")
        case .multicastOff:
            Phrase("Messages go to each neighbour one by one, which costs more airtime in a large group.")
        case .multicastBlocked:
            Phrase(
                """
                A small group notices nothing. For a large one use a hotspot of your own \
                (\(surface.name(of: .hotspot))), or ask whoever runs the network to let devices talk to each other.
                """)
        case .pathsBlocked:
            Phrase(
                """
                Something between the two holds UDP back: a firewall on one of the devices, or the network. Let \
                tour-chat through, or use a hotspot of your own: \(surface.name(of: .hotspot)).
                """)
        default: .empty
        }
    }

    private static func advice(onLinks seesNobody: Bool, _ surface: any Surface) -> Phrase {
        seesNobody
            ? Phrase(
                """
                Nobody is to be seen. If the others are on the same Wi-Fi, it may keep devices apart (client \
                isolation): use a hotspot of your own, by \(surface.name(of: .hotspot)).
                """)
            : Phrase(
                """
                Nodes are announced but cannot be reached: this Wi-Fi may forbid device to device. Use a hotspot \
                of your own: \(surface.name(of: .hotspot)).
                """)
    }

    private static func advice(onRecovery needed: Int, _ surface: any Surface) -> Phrase {
        let (whole, apart) = (surface.name(of: .recoverWithNothingSince), surface.name(of: .giveKeyUp))
        return needed > 1
            ? Phrase(
                """
                Bring \(needed) members near: one alone could hide what you wrote last. If they cannot \
                come and nothing was written since the copy was made: \(whole). Else: \(apart).
                """)
            : Phrase(
                """
                Bring a member near. If nothing was written since the copy was made: \(whole). Else: \(apart).
                """)
    }
}
