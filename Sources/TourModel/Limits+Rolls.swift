/// Roll calls. Source: `Protocol/05-events.md`, "Roll calls".
extension Limits {
    /// Of the words of one.
    package static let rollTextBytesMax = 256
    /// How long answers are waited for.
    package static let rollSeconds = 30...86_400
    /// Members that one answer is about.
    package static let rollAnswerMembersMax = 64
    /// Members that are named as missing at the end.
    package static let rollMissingMax = 1_000
    package static let buddyGroupsMax = 400
    package static let buddyGroupMembers = 2...8
    /// How long one stands that nobody ends.
    package static let rollLifetimeMilliseconds: Int64 = 24 * 3_600_000
    /// Answers that are looked at: of each member the newest, whichever calls they are to.
    package static let rollAnswersOfMemberMax = 64
    /// Announcements that a member said to have understood: the newest of these.
    package static let understoodOfMemberMax = 64
}
