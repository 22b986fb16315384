/// The bounds of the operator's commands and of the audit log.
extension ServerLimits {
    /// How long an entry of the audit log is kept, in seconds, unless the operator says otherwise: a year and a month,
    /// so that a season can be compared with the one before.
    package static let auditLifetime: Int64 = 400 * 24 * 60 * 60
    /// The name of an operator in the audit log, in characters.
    package static let auditNameCharactersMax = 64
    /// Rows of a list that a command prints, unless the operator asks for another number.
    package static let operatorRows = 50
    /// Rows of a list that a command prints at most.
    package static let operatorRowsMax = 1_000
    /// The text of a search, in bytes.
    package static let searchBytesMax = 256
    /// Rows that an export reads at a time: even the longest events fit together.
    package static let exportRowsAtOnce = 64
    /// Rows of a deleted tour that one transaction deletes: a running server waits for it.
    package static let tourRowsDeletedAtOnce = 2_000
    /// Members of an organisation: a large company's guides.
    package static let organisationMembersMax: Int64 = 1_000
    /// Organisations of one account.
    package static let organisationsPerAccountMax: Int64 = 50
    /// Tours of an organisation.
    package static let organisationToursMax: Int64 = 10_000
    /// Open invitations into an organisation.
    package static let organisationInvitationsMax = 200
    /// How long an invitation into an organisation is open, in seconds.
    package static let organisationInvitationLifetime: Int64 = 14 * 86_400
    /// New accounts from one address at once, unless the operator says otherwise.
    package static let signupsPerAddress = 60
    /// Codes by text message on request of one address at once, unless the operator says otherwise.
    package static let textsPerAddress = 20
    /// The bounds of an operator's value for each of these: at most a large hotel.
    package static let perAddressRange = 1...1_000
    /// For how many days an operator may have entries of the audit log stay.
    package static let keepAuditDays = 7...3_660
    /// For how many days an invitation to make an account may be open.
    package static let accountInvitationDays = 1...365
    /// For how many it is, unless the operator says otherwise.
    package static let accountInvitationDaysUsual = 14
    /// Open invitations to make an account.
    package static let accountInvitationsMax: Int64 = 1_000
    /// For how many days an operator may have unused tours stay.
    package static let keepToursDays = 1...36_500
    /// How many days before its end an unused tour is announced: members who meet it again have two weeks.
    package static let tourNoticeDays: Int64 = 14
    /// How far the clock of the process that announced a tour's end may be ahead, in microseconds: a later announcement
    /// dates from before the clock was set back, and does not count.
    package static let announcementAhead: Int64 = 3_600 * 1_000_000
    /// How far the wall clock may go ahead of a clock that nobody sets before the server takes it for wrong, in
    /// microseconds.
    package static let clockStepMax: Int64 = 86_400 * 1_000_000
    /// Unused tours that are read at a time.
    package static let quietToursReadAtOnce = 500
    /// Tours that one transaction announces and deletes.
    package static let toursEndedAtOnce = 50
    /// Bans that a server keeps: each process has all of them in memory.
    package static let bansMax: Int64 = 10_000
    /// The shortest prefixes of banned networks: a shorter one is mistyped, and shuts out everybody.
    package static let banPrefixMin = (ipv4: 8, ipv6: 16)
    /// The operator's reason for a ban, in characters.
    package static let banReasonCharactersMax = 200
    /// How long a link to the operator's page opens it, in seconds: long enough to carry it to a browser.
    package static let pageLinkLifetime: Int64 = 10 * 60
    /// How long the operator's page stays open, in seconds: a working day.
    package static let pageSessionLifetime: Int64 = 8 * 3_600
    /// Links to the operator's page that may be unused at once.
    package static let pageLinksMax: Int64 = 100
    /// How old the bans that a process has read may be, in microseconds.
    package static let bansInterval: Int64 = 20 * 1_000_000
}
