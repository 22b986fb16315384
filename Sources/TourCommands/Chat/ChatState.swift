import TourNode

/// Everything the chat's screen is drawn from.
package struct ChatState {
    package enum Connection: Hashable, Sendable {
        case connecting, open, away
    }

    /// Whether the person can still write.
    package enum Standing: Hashable, Sendable {
        case active, ended, left
    }

    package var transcript: ChatTranscript
    package var editor = LineEditor()
    package var members: [ChatMember] = []
    package var tourName = ""
    package var connection = Connection.connecting
    package var isActive = true
    /// Lines between the end of the transcript and the end of what is shown.
    package var scroll = 0

    package init(tourName: String, openedAt: Timestamp) {
        self.tourName = tourName
        transcript = ChatTranscript(openedAt: openedAt)
    }

    /// `5 of 8 near`
    package var near: String {
        let active = members.filter(\.isActive)
        return "\(active.count(where: \.isNear)) of \(active.count) near"
    }

    /// A tour that is over for this node was closed, unless we are among those who have gone.
    package var standing: Standing {
        if isActive { return .active }
        return members.contains { $0.isMe && !$0.isActive } ? .left : .ended
    }

    package func color(of memberID: String) -> Int {
        members.first { $0.id == memberID }?.color ?? Int(memberID.utf8.first ?? 0)
    }
}
