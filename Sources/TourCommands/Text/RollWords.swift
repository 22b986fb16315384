import TourJSON
import TourModel
import TourWeb
import TourWords

/// A roll call, as people read it.
package struct RollWords {
    private let roll: JSON

    /// - Parameter roll: `Roll` of the local API.
    package init(_ roll: JSON) { self.roll = roll }

    /// Whether nobody has ended it yet.
    package var isOpen: Bool { roll["open"]?.flag == true }
    /// Whether this node's member has yet to answer.
    package var isAsked: Bool { roll["asked"]?.flag == true }

    /// Whether this node's member may end it.
    package var isLed: Bool { roll["leads"]?.flag == true }

    /// One line: who called, what for, and since when. Safe for a terminal.
    package var head: Phrase {
        let names = [safe(roll, "name")] + (roll["alsoBy"]?.list ?? []).compactMap(\.text).map { TerminalText.safe($0) }
        let name = names.joined(separator: ", ")
        let (time, text) = (clock(roll, "at"), safe(roll, "text"))
        return text.isEmpty
            ? Phrase("Roll call by \(name) (\(time))") : Phrase("Roll call by \(name) (\(time)): \(text)")
    }

    /// How many are there, and whether the call is open.
    package var sum: Phrase {
        if let ended = roll["endedBy"]?.text {
            return Phrase("\(counted) Ended by \(TerminalText.safe(ended)) at \(clock(roll, "endedAt")).")
        }
        if !isOpen { return counted }
        return roll["overdue"]?.flag == true
            ? Phrase("\(counted) Time was up at \(clock(roll, "until")).")
            : Phrase("\(counted) Answers are due by \(clock(roll, "until")).")
    }

    private var counted: Phrase {
        Phrase("\(roll["here"]?.integer ?? 0) of \(roll["all"]?.integer ?? 0) are here.")
    }

    /// How many are there, whether the call is open, and who is missing.
    package var outcome: Phrase { withMissing(sum) }

    /// The same in one line.
    package var progress: Phrase { withMissing(counted) }

    private func withMissing(_ sum: Phrase) -> Phrase {
        let names = missing.joined(separator: ", ")
        return names.isEmpty ? sum : Phrase("\(sum) Missing: \(names)")
    }

    /// Names of the members who are not there, lost ones first.
    package var missing: [String] {
        (roll["members"]?.list ?? []).filter { ["missing", "lost"].contains($0.shown("state")) }.map { name($0).text }
    }

    /// One line for each member: the missing first.
    package var table: Table {
        var table = Table([Phrase("NAME"), Phrase("HERE"), Phrase("SAID BY"), Phrase("AT"), Phrase("DEVICE")])
        for member in roll["members"]?.list ?? [] {
            let device = member["near"]?.flag == true ? Phrase("in reach") : Phrase("not in reach")
            table.add([
                .init(name(member)), state(member), .init(said(member)),
                .init(Phrase(verbatim: member["at"]?.text == nil ? "" : clock(member, "at"))), .init(device, .dim),
            ])
        }
        return table
    }

    private func state(_ member: JSON) -> Table.Cell {
        switch member.shown("state") {
        case "here": .init(Phrase("yes"), .green)
        case "late": .init(Phrase("came late"), .yellow)
        case "lost": .init(Phrase("is lost"), .red)
        default: .init(Phrase("not here"), .red)
        }
    }

    private func said(_ member: JSON) -> Phrase {
        guard let by = member["by"]?.text else { return .empty }
        return member["seen"]?.flag == true
            ? Phrase("\(TerminalText.safe(by)), who saw them") : Phrase(verbatim: TerminalText.safe(by))
    }

    private func name(_ member: JSON) -> Phrase {
        let name = MemberName(member.shown("name"), namesake: member.shown("namesake")).whole
        return member.named(TerminalText.safe(name), by: "guestBy")
    }

    private func clock(_ object: JSON, _ member: String) -> String { Timestamp(object.shown(member))?.clockTime ?? "" }

    private func safe(_ object: JSON, _ member: String) -> String { TerminalText.safe(object.shown(member)) }
}
