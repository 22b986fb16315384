import TourAPI
import TourModel
import TourNode
import TourPresentation
import TourWords

extension TourChange {
    /// What happened, in a sentence.
    package var phrase: Phrase {
        switch self {
        case .joined(let name): Phrase("\(name) has joined.")
        case .manyJoined(let count):
            Phrase(count, one: "\(count) member has joined.", other: "\(count) members have joined.")
        case .archiveJoined: Phrase("The server reads along from now on: a guide invited its archive.")
        case .left(let name): Phrase("\(name) has left.")
        case .removed(let name, by: nil): Phrase("\(name) was removed.")
        case .removed(let name, by: let author?): Phrase("\(name) was removed by \(author).")
        case .removedByUs(let name): Phrase("\(name) was removed by you.")
        case .cameByVoidCode(let name): Phrase("\(name) is out: the code by which it came was void.")
        case .forked(let name):
            Phrase("\(name) is out: two devices wrote with its key. It has to join again with a code.")
        case .back(let name): Phrase("\(name) is in again: its removal does not count any more.")
        case .role(let name, let role): Phrase("The role of \(name) is \(role.phrase) now.")
        case .ownRemoval(let tour, by: nil):
            Phrase("You were removed from “\(tour)”. Ask a guide for a new code.")
        case .ownRemoval(let tour, by: let author?):
            Phrase("You were removed from “\(tour)” by \(author). Ask a guide for a new code.")
        case .ownVoidCode(let tour):
            Phrase("You are out of “\(tour)”: the code by which you came was void. Ask for a new one.")
        case .ownFork(let tour):
            Phrase("Another device writes in “\(tour)” with a copy of your key: join again with a code.")
        case .ownReturn(let tour): Phrase("You are in “\(tour)” again: your removal does not count any more.")
        case .ownRole(let role): Phrase("Your role is \(role.phrase) now.")
        case .closed(let tour): Phrase("“\(tour)” is closed: nothing can be written.")
        case .voided(let act): act.phrase
        case .otherMeeting(by: let name, let text, insteadOf: let own):
            Phrase("\(name) set a meeting point as well: “\(text)” counts now, and not your “\(own)”.")
        case .otherRoll(by: let name, let text, insteadOf: let own):
            Self.otherRoll(name, text, insteadOf: own)
        case .straggler(let name, let minutes, let place): Self.straggler(name, minutes, place)
        case .stragglers(let count, let minutes):
            Phrase(
                minutes, one: "\(count) members have been out of reach for \(minutes) minute.",
                other: "\(count) members have been out of reach for \(minutes) minutes.")
        }
    }

    private static func otherRoll(_ name: String, _ text: String, insteadOf own: String) -> Phrase {
        guard own != text, !own.isEmpty else {
            return Phrase("\(name) called the roll first: yours is part of theirs.")
        }
        return Phrase("\(name) called the roll first: yours is part of theirs, and nobody is shown “\(own)”.")
    }

    private static func straggler(_ name: String, _ minutes: Int, _ place: Coordinates?) -> Phrase {
        let words = Phrase(
            minutes, one: "\(name) has been out of reach for \(minutes) minute.",
            other: "\(name) has been out of reach for \(minutes) minutes.")
        guard let place else { return words }
        let spot = "\(place.latitude),\(place.longitude)"
        return Phrase("\(words) Last place: \(spot)")
    }
}

extension TourChange.RoleName {
    fileprivate var phrase: Phrase {
        switch self {
        case .rank(let rank): rank.phrase
        case .successor: Phrase("successor")
        }
    }
}

extension VoidedAct {
    /// Which act does not count, and why.
    package var phrase: Phrase {
        switch self {
        case .removal(let name):
            Phrase(
                """
                Your removal of \(name) does not count, and it is still in: at the same time somebody \
                above you changed your place in the tour.
                """)
        case .role(let rank, let name):
            Phrase(
                """
                The role \(rank.phrase) that you gave \(name) does not count: at the same time \
                somebody above you changed your place in the tour.
                """)
        case .invite:
            Phrase(
                """
                A code that you made lets nobody in: at the same time somebody above you changed your place in the \
                tour.
                """)
        }
    }
}

extension NodeMoment {
    /// What happened, in a sentence.
    package func phrase(on surface: any Surface) -> Phrase {
        switch self {
        case .locked: Phrase("Locked: nothing is sent or received until \(surface.name(of: .unlock)).")
        case .unlocked: Phrase("Unlocked: online again.")
        case .wiped: Phrase("Wiped: everything here is destroyed, and the node ends.")
        case .joined(let tour): Phrase("Joined “\(tour)”.")
        case .removed(let change), .member(let change): change.phrase
        case .linked(let name, let tour): Phrase("Linked with \(name) in “\(tour)”.")
        case .alone(let tour, seeksOthers: true): Phrase("No link in “\(tour)” any more: looking for the others.")
        case .alone(let tour, seeksOthers: false): Phrase("No link in “\(tour)” any more.")
        case .twin(let tour):
            Phrase(
                """
                Another device with your key in “\(tour)” is online: one of the two is a copy. \
                See \(surface.name(of: .doctor)).
                """)
        }
    }
}
