import TourAPI
import TourModel

/// Everything that a guest's page shows beside the messages.
package struct SeatPicture: Encodable, Equatable, Sendable {
    /// The tour's name.
    package var tour: String
    package var me: Me
    package var people: People
    @Nullable package var meeting: MeetingView?
    /// The guest's own answer to the meeting point.
    @Nullable package var answer: MeetingAnswerView?
    package var alarms: [AlarmView]
    @Nullable package var roll: RollView?
    /// `here`, `not-here`, or nil: the last word about the guest is not its own, or there is none.
    @Nullable package var rollAnswer: String?
    package var urgent: [Urgent]
    /// Where else the phone may go on.
    package var hosts: [SeatHostView]
    /// The members at which it may not any more, in hexadecimal digits.
    package var formerHosts: [String]
    @Nullable package var programme: GuestProgramme?
    /// Only guides may write to everybody now.
    package var quiet: Bool
    /// Nil: the tour goes on.
    @Nullable package var ended: Ended?

    /// A tour that its guide has ended.
    package struct Ended: Encodable, Equatable, Sendable {
        /// Until when this device shows it to its guests.
        package var until: String
    }

    /// The guest.
    package struct Me: Encodable, Equatable, Sendable {
        package var member: String
        package var name: String
        package var color: Int
        package var words: String
    }

    /// Everybody in the tour.
    package struct People: Encodable, Equatable, Sendable {
        package var reachable: Int
        package var total: Int
        package var list: [Person]
    }

    /// A member.
    package struct Person: Encodable, Equatable, Sendable {
        package var member: String
        package var name: String
        @Nullable package var namesake: String?
        package var role: String
        package var color: Int
        /// Heard of in the last 30 s.
        package var here: Bool
        /// Of a guest: the device with which it is.
        @Nullable package var by: String?
        package var me: Bool
        package var lost: Bool
    }

    /// The guest's answer to a meeting point.
    package struct MeetingAnswerView: Encodable, Equatable, Sendable {
        package var answer: String
        package var minutes: Int
    }

    /// An urgent announcement.
    package struct Urgent: Encodable, Equatable, Sendable {
        package var id: String
        package var author: String
        package var text: String
        package var at: String
        /// Whether the guest has confirmed it.
        package var understood: Bool
    }
}

/// What is new for a guest.
package struct SeatNews: Sendable {
    /// Messages that are new or changed.
    package var messages: News
    /// The phone acknowledges this once it has them.
    package var mark: UInt64
}
