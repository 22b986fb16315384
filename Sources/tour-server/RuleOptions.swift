import ArgumentParser
import ServerBase
import ServerRequests
import TourServer

/// What the operator rules about accounts and tours.
struct RuleOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            """
            The people who may make an account: open, everybody; invited, those with a code of 'admin account \
            invite'; closed, nobody.
            """, valueName: "rule"))
    var registration = Registration.Rule.open
    @Option(
        help: ArgumentHelp(
            "Whether people get an account without a name: on or off (default: on where registration is open).",
            valueName: "on|off"))
    var guests: Registration.Guests?
    @OptionGroup var rooms: RoomOptions
    @Option(
        help: ArgumentHelp(
            "The lowest role that counts only with a second factor: guide or admin.", valueName: "role"))
    var secondFactorFor: String?
    @Option(
        help: ArgumentHelp(
            "The lowest role that may make organisations: user, guide or admin (default: the operator alone).",
            valueName: "role"))
    var organisationsFor: String?
    @Option(
        help: ArgumentHelp(
            "Delete tours in which nothing was written for so long, two weeks after saying so (default: never).",
            valueName: "days"))
    var keepTours: Int?
    @Option(help: ArgumentHelp("Keep entries of the audit log so long.", valueName: "days"))
    var keepAudit = Int(ServerLimits.auditLifetime / 86_400)
    @Option(
        help: ArgumentHelp("New accounts from one address at once; then one a minute.", valueName: "count"))
    var signupsPerAddress = ServerLimits.signupsPerAddress
    @Option(
        help: ArgumentHelp(
            "Codes by text message for one address at once, such as a group's in one hotel; then one a minute.",
            valueName: "count"))
    var textsPerAddress = ServerLimits.textsPerAddress

    func validate() throws {
        guard secondFactorFor.map({ ["guide", "admin"].contains($0) }) ?? true else {
            throw ValidationError("--second-factor-for wants guide or admin.")
        }
        guard organisationsFor.map({ AccountRole(rawValue: $0) != nil }) ?? true else {
            throw ValidationError("--organisations-for wants user, guide or admin.")
        }
        let days = ServerLimits.keepToursDays
        guard keepTours.map(days.contains) ?? true else {
            throw ValidationError("--keep-tours wants \(days.lowerBound) to \(days.upperBound) days.")
        }
        let each = ServerLimits.perAddressRange
        for (name, value, range) in [
            ("--keep-audit", keepAudit, ServerLimits.keepAuditDays),
            ("--signups-per-address", signupsPerAddress, each), ("--texts-per-address", textsPerAddress, each),
        ] where !range.contains(value) {
            throw ValidationError("\(name) wants \(range.lowerBound) to \(range.upperBound).")
        }
    }

    /// - Parameter caps: what the server may send.
    func rules(_ caps: SMSCaps) -> ServerSettings.Rules {
        var rules = ServerSettings.Rules()
        rules.registration = Registration(registration, guests: guests)
        rules.rooms = rooms.rooms
        rules.smsCaps = caps
        rules.secondFactorFrom = secondFactorFor.flatMap(AccountRole.init(rawValue:))
        rules.organisationsFrom = organisationsFor.flatMap(AccountRole.init(rawValue:))
        rules.keepTours = keepTours
        rules.keepAudit = keepAudit
        (rules.addressBounds.signups, rules.addressBounds.texts) = (signupsPerAddress, textsPerAddress)
        return rules
    }
}

extension Registration.Rule: ExpressibleByArgument {}
extension Registration.Guests: ExpressibleByArgument {}
