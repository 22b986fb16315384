import TourNode

/// Everything the chat's screen is drawn from.
package struct ChatState {
    package enum Connection: Hashable, Sendable {
        case connecting, open, away
    }

    package var transcript: ChatTranscript
    package var editor = LineEditor()
    package var members: [ChatMember] = []
    package var tourName = ""
    package var connection = Connection.connecting
    /// As the node says it. Source: `Protocol/Schema/local-api.yaml`, `TourState`.
    package var tourState = TourStanding.active
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

    /// Whether the person can still write.
    package var isActive: Bool { tourState == TourStanding.active }

    package func color(of memberID: String) -> Int {
        members.first { $0.id == memberID }?.color ?? Int(memberID.utf8.first ?? 0)
    }
}
