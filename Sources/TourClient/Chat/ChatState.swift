import TourAPI
import TourModel
import TourWords

/// The state from which the chat's screen is drawn.
package struct ChatState {
    /// How the chat stands with its node.
    package enum Connection: Hashable, Sendable {
        case connecting, open, away
        /// The node has dropped its keys: nothing of the tour may be shown until it is unlocked.
        case locked
        /// Everything was destroyed.
        case wiped

        /// What a refusal of the node says about its state.
        /// - Parameter holdsNode: the data directory is not empty.
        package init(_ failure: CommandFailure, holdsNode: Bool) {
            switch failure.code {
            // A node that is busy with a plain question is being locked or unlocked.
            case "locked", "busy": self = .locked
            case "wiped": self = .wiped
            case CommandFailure.noNode.code where !holdsNode: self = .wiped
            default: self = .away
            }
        }

        /// Nothing of the tour may be shown.
        package var isShut: Bool { self == .locked || self == .wiped }
    }

    /// The messages and notices.
    package var transcript: ChatTranscript
    /// The line being written.
    package var editor = LineEditor()
    /// The tour's members, as the chat lists them.
    package var members: [ChatMember] = []
    /// nil until the node reports it, and when the tour is over.
    package var people: PeopleCount?
    /// Notices that wait for the reader's answer.
    package var asked = AskedOfReader()
    package var tourName = ""
    /// How the chat stands with its node.
    package private(set) var connection = Connection.connecting
    /// As the node spells it. Source: `Protocol/Schema/local-api.yaml`, `TourState`.
    package var tourState = TourState.active
    /// Lines between the end of the transcript and the last visible one.
    package var scroll = 0
    /// Whether somebody looks at the terminal, as far as the terminal reports that.
    package var isLookedAt = true
    /// The user knows how to save files.
    package var hasSaved = false
    /// After Tab: the possible completions of the line being written.
    package var choices: [String] = []

    package init(tourName: String, openedAt: Timestamp) {
        self.tourName = tourName
        transcript = ChatTranscript(openedAt: openedAt)
    }

    /// Records a new state of the node. When the node is locked or wiped, drops everything of the tour, and the typed
    /// line.
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

    /// Every name that a command can mean, as commands accept it.
    package var names: LineCompletion.Names {
        let authors = transcript.messages.values.filter(\.isAnswerable).map(\.byline.distinct)
        return LineCompletion.Names(
            members: members.filter(\.isActive).map(\.name.distinct), authors: Set(authors).sorted(),
            lost: asked.alarms.map(AlarmWords.init).filter(\.isOpen).map(\.name))
    }

    /// Whether a roll call waits for this user's answer.
    package var isCalled: Bool { asked.roll.map { RollWords($0).isAsked } ?? false }

    /// Whether the user can still write.
    package var isActive: Bool { tourState == .active }

    /// The member's color; for an unknown member one that depends on the id.
    package func color(of memberID: String) -> Int {
        members.first { $0.id == memberID }?.color ?? Int(memberID.utf8.first ?? 0)
    }
}
