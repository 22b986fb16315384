import TourModel
import TourNode
import TourWeb
import TourWords

/// Everything the chat's screen is drawn from.
package struct ChatState {
    package enum Connection: Hashable, Sendable {
        case connecting, open, away
        /// The node has forgotten its keys: nothing of the tour is to be seen until it is unlocked.
        case locked
        /// Everything was destroyed.
        case wiped

        /// What a refusal of the node says about it.
        /// - Parameter holdsNode: there is something in the data directory.
        package init(_ failure: CommandFailure, holdsNode: Bool) {
            switch failure.code {
            // A node that is busy with a plain question is on its way between open and locked.
            case "locked", "busy": self = .locked
            case "wiped": self = .wiped
            case CommandFailure.noNode.code where !holdsNode: self = .wiped
            default: self = .away
            }
        }

        /// Nothing of the tour may be seen.
        package var isShut: Bool { self == .locked || self == .wiped }
    }

    package var transcript: ChatTranscript
    package var editor = LineEditor()
    package var members: [ChatMember] = []
    /// nil until the node says it, and when the tour is over.
    package var people: PeopleWords?
    package var asked = AskedOfReader()
    package var tourName = ""
    package private(set) var connection = Connection.connecting
    /// As the node says it. Source: `Protocol/Schema/local-api.yaml`, `TourState`.
    package var tourState = TourStanding.active
    /// Lines between the end of the transcript and the end of what is shown.
    package var scroll = 0
    /// Somebody looks at the terminal, as far as it says.
    package var isLookedAt = true
    /// The person knows how files are saved.
    package var hasSaved = false
    /// What the line being written may go on with, after Tab.
    package var choices: [String] = []

    package init(tourName: String, openedAt: Timestamp) {
        self.tourName = tourName
        transcript = ChatTranscript(openedAt: openedAt)
    }

    /// Takes what is known of the node. When it shuts, everything of the tour goes, and what was typed.
    package mutating func meet(_ next: Connection) {
        if next.isShut, !connection.isShut {
            transcript.clear()
            editor = LineEditor()
            choices = []
            members = []
            asked = AskedOfReader()
            people = nil
            tourName = ""
            scroll = 0
        }
        connection = next
    }

    /// `5 of 8 near`, or how the tour ended.
    package var near: Phrase { isActive ? people?.short ?? .empty : TourStanding.sentence(tourState) }

    /// Everybody who can be named, as commands take it.
    package var names: LineCompletion.Names {
        let authors = transcript.messages.values.filter(\.isAnswerable).map(\.authorName.distinct)
        return LineCompletion.Names(
            members: members.filter(\.isActive).map(\.name.distinct), authors: Set(authors).sorted(),
            lost: asked.alarms.map(AlarmWords.init).filter(\.isOpen).map(\.name))
    }

    /// Whether a roll call waits for this person.
    package var isCalled: Bool { asked.roll.map { RollWords($0).isAsked } ?? false }

    /// Whether the person can still write.
    package var isActive: Bool { tourState == TourStanding.active }

    package func color(of memberID: String) -> Int {
        members.first { $0.id == memberID }?.color ?? Int(memberID.utf8.first ?? 0)
    }
}
