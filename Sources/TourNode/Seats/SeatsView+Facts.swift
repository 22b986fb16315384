import TourAPI
import TourCrypto
import TourGroup
import TourModel

extension SeatsView {
    /// - Parameters:
    ///   - giving: on what terms this node gives seats in the tour; nil: it does not.
    ///   - pages: where the page for guests is, by https and by http.
    ///   - entry: what stands behind `#` in a link.
    ///   - here: the guests whose phones are here.
    init(
        _ facts: SeatFacts, _ giving: SeatsGiving? = nil, pages: (secure: String?, plain: String?) = (nil, nil),
        entry: String = "", here: Set<MemberID>
    ) {
        let wall = facts.wallMilliseconds
        func mayGive(_ member: MemberID) -> Bool { facts.roster.mayGiveSeats(member, wallMilliseconds: wall) }
        let links = [pages.secure, pages.plain].compactMap { $0.map { "\($0)/#\(entry)" } }
        let hosts = facts.roster.active.filter { mayGive($0.id) || !facts.guests(with: $0.id).isEmpty }
        self.init(
            on: giving != nil, mayGive: mayGive(facts.own) || facts.roster.rank(of: facts.own)?.leads == true,
            max: giving?.max ?? SeatLimits.seatsStandard, link: links.first,
            plainLink: links.count > 1 ? links.last : nil,
            digits: giving.flatMap { $0.pass.areDigitsSpent ? nil : $0.pass.digits.text },
            usesLeft: giving?.pass.usesLeft ?? 0,
            secondsLeft: giving.map { Swift.max(0, ($0.pass.endsAt - wall) / 1_000) } ?? 0,
            guests: facts.guests(with: facts.own).map { member in
                Guest(memberID: member.hex, name: facts.names[member] ?? "", here: here.contains(member))
            }.sorted { ($0.name, $0.memberID) < ($1.name, $1.memberID) },
            hosts: hosts.map { member in
                Host(
                    memberID: member.id.hex, name: facts.names[member.id] ?? "",
                    guests: facts.guests(with: member.id).count, mayGive: mayGive(member.id))
            }.sorted { ($0.name, $0.memberID) < ($1.name, $1.memberID) })
    }
}
