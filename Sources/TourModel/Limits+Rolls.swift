/// Roll calls. Source: `Protocol/05-events.md`, "Roll calls".
extension Limits {
    /// The longest text of a roll call.
    package static let rollTextBytesMax = 256
    /// How long a roll call may wait for answers.
    package static let rollSeconds = 30...86_400
    /// The most members that one answer is about.
    package static let rollAnswerMembersMax = 64
    /// The most members named as missing at the end.
    package static let rollMissingMax = 1_000
    /// The most groups that answer for each other.
    package static let buddyGroupsMax = 400
    /// The size of such a group.
    package static let buddyGroupMembers = 2...8
    /// The lifetime of a roll call that nobody ends.
    package static let rollLifetimeMilliseconds: Int64 = 24 * 3_600_000
    /// The most answers read of one member: its newest, whichever calls they answer.
    package static let rollAnswersOfMemberMax = 64
    /// The most announcements that count as understood by one member: its newest.
    package static let understoodOfMemberMax = 64
}
