import Glibc
import TourAPI
import TourModel
import TourNode
import TourPresentation
import TourWords

extension NodeError: SpokenFault {
    package func phrase(on surface: any Surface) -> Phrase {
        switch self {
        case .noTour: Phrase("There is no tour yet.")
        case .unknownTour(let name):
            Phrase("No tour here is called “\(name)”, or has an id that starts with it (six digits or more).")
        case .ambiguous(let words, let candidates): Self.ambiguity(words, candidates)
        case .unknownMember(let name):
            Phrase("Nobody in this tour is called “\(name)”, or has an id that starts with it (six digits or more).")
        case .notAllowed: Phrase("Only a guide or admin of this tour may do that.")
        case .badName: Phrase("A name has 1 to \(Limits.nameBytesMax) bytes, and no control characters.")
        case .nullInText:
            Phrase(
                """
                The text has a null character (U+0000) in it, which cannot be sent: is it a file of another kind?
                """)
        case .badExpiry:
            Phrase("The time until it expires is from 1 to \(Limits.expirySecondsMax) seconds (ten years).")
        case .busy: Phrase("The last write failed; try again in a moment.")
        case .noMailbox:
            Phrase("No server is set: \(surface.name(of: .login(.server))), or \(surface.name(of: .run(.server))).")
        case .eventTooLarge: Phrase("There is too much to say in one event; nothing was changed.")
        case .notActive, .closed, .left, .removed, .forked, .retired, .recovering, .waitsForKey, .shareFull,
            .guidingFull:
            silence(on: surface)
        case .network(let fault): fault.phrase
        case .join(let fault): fault.phrase(on: surface)
        case .asking(let fault): fault.phrase
        case .seat(let fault): fault.phrase
        case .membership(let fault): fault.phrase(on: surface)
        case .message(let fault): fault.phrase
        case .roll(let fault): fault.phrase
        case .place(let fault): fault.phrase(on: surface)
        case .file(let fault): fault.phrase(on: surface)
        case .notebook(let fault): fault.phrase(on: surface)
        case .shared(let fault): fault.phrase
        case .keeping(let fault): fault.phrase
        case .store(let error): error.phrase(on: surface)
        case .storing(let reason): Phrase("The store failed: \(reason)")
        }
    }

    private static func ambiguity(_ words: String, _ candidates: [String]) -> Phrase {
        let list = Phrase(list: candidates.dropLast())
        let last = candidates.last ?? ""
        return Phrase("“\(words)” fits \(list) and \(last): give more of the id.")
    }

    /// Why nothing can be written to a tour; empty for any other fault.
    private func silence(on surface: any Surface) -> Phrase {
        switch self {
        case .notActive: Phrase("This tour cannot be written to here.")
        case .closed(let tour):
            Phrase(
                """
                “\(tour)” has ended, and its roll calls, calls for help and urgent words with it. What was written \
                stays readable. \(surface.name(of: .listTours)) shows your other tours.
                """)
        case .left(let tour): Phrase("You have left “\(tour)”: join again with a code.")
        case .removed(let tour):
            Phrase("You were removed from “\(tour)”: ask a guide for a new code, and join with it.")
        case .forked(let tour):
            Phrase("Another device writes in “\(tour)” with a copy of your key: join again with a code.")
        case .retired(let tour): Phrase("Your old key in “\(tour)” was given up: join again with a code.")
        case .recovering(let tour, let heard, let needed):
            Phrase(
                """
                The data here is a copy, so what others hold of your messages in “\(tour)” comes first: nothing \
                can be written until members near have said what they hold (\(heard) of \(needed) have).
                """)
        case .waitsForKey(let tour):
            Phrase(
                """
                Somebody was removed from “\(tour)”, and the new key is not here yet: try again near another \
                member.
                """)
        case .shareFull(let tour):
            Phrase(
                """
                Your share of “\(tour)” is full: your messages there take \(LogShare.ofTour.sealed / 1_048_576) \
                MiB of everybody's disk, and nobody takes more. Leave, and come back with a new code.
                """)
        case .guidingFull(let tour):
            Phrase(
                """
                Your room for guiding “\(tour)” is used up: nobody can come in by you. You can still remove people, \
                end codes and give roles. Make somebody else a guide, who has room of their own.
                """)
        default: .empty
        }
    }
}

extension NodeError.NetworkFault {
    fileprivate var phrase: Phrase {
        switch self {
        case .noInterface(let name, let present):
            Phrase("No network interface \(name); there are \(Phrase(list: present)).")
        case .badPeer(let text):
            Phrase("“\(text)” is no address: give HOST:PORT, for instance 192.168.1.20:4000.")
        case .port(let port, let code):
            Phrase(
                """
                The node cannot listen on port \(port): \(PortTrouble(code: code).phrase). Choose another one with \
                --listen PORT, or leave that out.
                """)
        }
    }
}

/// Why a port is not available.
package struct PortTrouble {
    /// The system's `errno`.
    let code: Int32

    package init(code: Int32) { self.code = code }

    /// Worded to follow a colon.
    package var phrase: Phrase {
        switch code {
        case EADDRINUSE: Phrase("another program has it")
        case EACCES, EPERM: Phrase("only the administrator may take ports below 1024")
        default: Phrase(verbatim: String(cString: strerror(code)))
        }
    }
}

extension NodeError.JoinFault {
    fileprivate func phrase(on surface: any Surface) -> Phrase {
        switch self {
        case .alreadyMember(let tour): Phrase("This node is in “\(tour)” already.")
        case .offline: Phrase("Joining needs the network: start the node with \(surface.name(of: .run(.plain))).")
        case .replaced: Phrase("A newer join with this code goes on instead of this one.")
        case .nobodyFound: Phrase("Nobody of this tour was found.")
        case .stopping: Phrase("The node was stopped before anybody let us in.")
        case .falseTour: Phrase("A node answered that does not belong to the tour of this code.")
        case .revoked: Phrase("This code was revoked.")
        case .expired: Phrase("This code has expired.")
        case .usedUp: Phrase("This code has been used as often as it may be.")
        case .closed: Phrase("This tour is over.")
        case .full: Phrase("This tour is full.")
        case .invalid: Phrase("The member that answered does not accept this code. Ask the guide for a new one.")
        }
    }
}

extension NodeError.MembershipFault {
    fileprivate func phrase(on surface: any Surface) -> Phrase {
        switch self {
        case .badInvite: Phrase("An invite has 1 to \(Limits.membersMax) uses.")
        case .unknownInvite(let digits):
            Phrase("No invite starts with \(digits); \(surface.name(of: .listInvites)) shows all.")
        case .badRole: Phrase("A role is member, guide or admin.")
        case .hasSuccessor(let name):
            Phrase(
                """
                \(name) is your successor already: give another role first, with \
                \(surface.name(of: .giveAnotherRole(to: name))).
                """)
        case .cannotGiveRole:
            Phrase("Only an admin who ranks above the member, and above the role that is given, may do that.")
        case .cannotRemove: Phrase("Only a guide or admin who ranks above the member may do that.")
        case .ownRole(isCreator: true):
            Phrase(
                """
                You cannot change your own role: \(surface.name(of: .nameSuccessor)) names who stands in for you.
                """)
        case .ownRole(isCreator: false):
            Phrase("You cannot change your own role: somebody who ranks above you can.")
        case .ownRemoval(isCreator: true):
            Phrase("You cannot remove yourself: \(surface.name(of: .closeTour)) ends the tour for everybody.")
        case .ownRemoval(isCreator: false):
            Phrase("You cannot remove yourself: \(surface.name(of: .leaveTour)) takes you out.")
        case .creatorStays:
            Phrase("You made this tour: end it for everybody with \(surface.name(of: .closeTour)).")
        case .hasArchive(let tour):
            Phrase(
                """
                The server reads along in “\(tour)” already: \(surface.name(of: .listMembers)) shows its archive.
                """)
        case .noArchive(let tour): Phrase("No server reads along in “\(tour)”.")
        }
    }
}

extension NodeError.KeepingFault {
    fileprivate var phrase: Phrase {
        switch self {
        case .nothingToLock: Phrase("The storage key lies in a plain file: locking would protect nothing.")
        case .movingKey: Phrase("The key is being moved already; try again in a moment.")
        case .emptyPassphrase: Phrase("A passphrase has at least one character.")
        case .backupWithoutPassphrase: Phrase("A backup needs a passphrase.")
        case .badBackupPath: Phrase("A backup's path starts with a slash.")
        case .notRecovering(let tour): Phrase("“\(tour)” needs no recovery.")
        case .damagedTour(let tour): Phrase("What is stored of tour \(tour.description) does not fit together.")
        }
    }
}
