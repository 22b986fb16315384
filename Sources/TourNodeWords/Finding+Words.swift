import TourDiscovery
import TourNode
import TourPresentation
import TourStore
import TourWords

// The words of the doctor: what was found, and what the user can do about it.
extension Finding {
    /// What was found.
    package func message(on surface: any Surface) -> Phrase {
        switch self {
        case .noNode: Phrase("No node is running here.")
        case .discoveryOff, .discoveryRuns, .discoveryStarts, .discoveryFails, .reachable, .nearOnly, .unreachable,
            .multicastOff, .multicastBlocked, .multicastUntested, .multicastWorks, .pathsBlocked, .paths:
            networkMessage
        case .noTour: Phrase("This node is in no tour.")
        case .inactive(let reason), .silent(let reason): reason.phrase(on: surface)
        case .alone(let tour, _): Phrase("Nobody else is in “\(tour)”.")
        case .linked(let links, let tour):
            Phrase(links, one: "\(links) link in “\(tour)”.", other: "\(links) links in “\(tour)”.")
        case .notLinked(let others, _):
            Phrase(
                others, one: "The only other member is not linked.", other: "None of the \(others) others is linked.")
        case .server(let finding): finding.message(on: surface)
        case .clockRight: Phrase("The clock is plausible.")
        case .clockBehind: Phrase("The clock is more than a day behind those of other members.")
        case .clockBeforeProgram: Phrase("The clock shows a time before this program was made.")
        case .diskUnreadable: Phrase("The data directory cannot be read.")
        case .diskFree(let free): free < 10_240 ? Phrase("\(free) MiB free.") : Phrase("\(free >> 10) GiB free.")
        case .noPictures: Phrase("Pictures cannot be prepared; files can be sent.")
        case .noHTTPS(let cause): Phrase("Guests are not let in by https: \(cause)")
        case .storageKey, .twin, .shareUsed, .shareFull, .guidingFull, .memberShareFull, .voided:
            keepingMessage(on: surface)
        }
    }

    /// What others can reach, and how.
    private var networkMessage: Phrase {
        switch self {
        case .discoveryOff: return Phrase("mDNS is switched off.")
        case .discoveryRuns(let seen):
            return Phrase(
                seen, one: "Devices near are looked for; \(seen) is heard.",
                other: "Devices near are looked for; \(seen) are heard.")
        case .discoveryStarts: return Phrase("Devices near are about to be looked for.")
        case .discoveryFails(let state, _): return Phrase("Avahi is unavailable: \(state.reason ?? .empty)")
        case .reachable(let addresses, let port):
            return Phrase("Reachable at \(Phrase(list: addresses)), port \(port).")
        case .nearOnly:
            return Phrase(
                "The network has no address that a guest's phone could open; devices find each other in it.")
        case .unreachable: return Phrase("No network interface is up.")
        case .multicastOff: return Phrase("Saying things to all at once is switched off (--no-multicast).")
        case .multicastBlocked(let interfaces):
            return Phrase(
                """
                On \(Phrase(list: interfaces)) nobody hears what is said to all: this network holds \
                multicast back (client isolation, or a switch that filters it). Messages go to each neighbour \
                one by one instead.
                """)
        case .multicastUntested: return Phrase("Nobody is near to test it with; links carry everything.")
        case .multicastWorks(let reaches):
            let reach = reaches.map { reach in
                Phrase(
                    reach.members, one: "\(reach.members) member on \(reach.interface)",
                    other: "\(reach.members) members on \(reach.interface)")
            }
            return Phrase("The network works for everyone here: \(Phrase(list: reach)) can be reached at once.")
        case .pathsBlocked(let names, let links): return Self.blockedPaths(names, of: links)
        case .paths(let count, let milliseconds, let lost): return Self.paths(count, milliseconds, lost)
        default: return .empty
        }
    }

    private static func blockedPaths(_ names: [String], of links: Int) -> Phrase {
        let shown = Phrase(list: names.prefix(5)) + Phrase(verbatim: names.count > 5 ? " …" : "")
        return Phrase(
            links,
            one: """
                Datagrams do not come through to \(names.count) of \(links) neighbour (\(shown)): their \
                connections carry everything, which is slow where packets are lost.
                """,
            other: """
                Datagrams do not come through to \(names.count) of \(links) neighbours (\(shown)): their \
                connections carry everything, which is slow where packets are lost.
                """)
    }

    private static func paths(_ count: Int, _ milliseconds: Int?, _ lost: Int) -> Phrase {
        var sentences = [
            Phrase(
                count, one: "Messages go one by one to \(count) neighbour.",
                other: "Messages go one by one to \(count) neighbours.")
        ]
        if let milliseconds { sentences.append(Phrase("They are there and back in \(milliseconds) ms at most.")) }
        if lost > 0 { sentences.append(Phrase("Of 100 up to \(lost) are lost and sent again.")) }
        return Phrase(sentences, separator: " ")
    }

    /// How safe the data is, and how much of a log's share is used up.
    private func keepingMessage(on surface: any Surface) -> Phrase {
        switch self {
        case .storageKey(.file):
            Phrase(
                """
                Data here is not protected by a passphrase: anyone with this computer can read your \
                messages.
                """)
        case .storageKey(.passphrase):
            Phrase("Protected by a passphrase: without it, this computer only shows who wrote when, and how much.")
        case .storageKey(.keyring):
            Phrase(
                """
                Protected by the keyring of your session, as safe as your password there: without it, this \
                computer only shows who wrote when, and how much.
                """)
        case .twin(let tour):
            Phrase("Another device with your key in “\(tour)” is online: one of the two is a copy.")
        case .shareUsed(let used, let tour): Phrase("\(used) % of your share of “\(tour)” is used up.")
        case .shareFull(let tour): NodeError.shareFull(tour).phrase(on: surface)
        case .guidingFull(let tour): NodeError.guidingFull(tour).phrase(on: surface)
        case .memberShareFull(let name, let tour): Phrase("The share of \(name) in “\(tour)” is full.")
        case .voided(let act): act.phrase
        default: .empty
        }
    }
}

extension DiscoveryState {
    /// Why discovery does not work.
    var reason: Phrase? {
        guard case .unavailable(let reason) = self else { return nil }
        return reason.phrase
    }
}
