import TourAPI
import TourModel
import TourWords

/// A roll call, as people read it.
package struct RollWords {
    private let roll: RollView

    package init(_ roll: RollView) { self.roll = roll }

    /// Whether nobody has ended it yet.
    package var isOpen: Bool { roll.open }
    /// Whether this node's member has yet to answer.
    package var isAsked: Bool { roll.asked }

    /// Whether this node's member may end it.
    package var isLed: Bool { roll.leads }

    /// One line: who called, what for, and since when. Safe for a terminal.
    package var head: Phrase {
        let names = ([roll.name] + roll.alsoBy).map { TerminalText.safe($0) }
        let name = names.joined(separator: ", ")
        let (time, text) = (clock(roll.at), TerminalText.safe(roll.text))
        return text.isEmpty
            ? Phrase("Roll call by \(name) (\(time))") : Phrase("Roll call by \(name) (\(time)): \(text)")
    }

    /// One line for each call whose words nobody is shown. Safe for a terminal.
    package var unshown: [Phrase] {
        roll.unshown.map { call in
            let (name, text) = (TerminalText.safe(call.name), TerminalText.safe(call.text))
            return call.mine
                ? Phrase("Yours is part of it, and nobody is shown: \(text)")
                : Phrase("\(name) called too, and nobody is shown: \(text)")
        }
    }

    /// How many are there, and whether the call is open.
    package var sum: Phrase {
        if let ended = roll.endedBy {
            return Phrase("\(counted) Ended by \(TerminalText.safe(ended)) at \(clock(roll.endedAt)).")
        }
        if !isOpen { return counted }
        return roll.overdue
            ? Phrase("\(counted) Time was up at \(clock(roll.until)).")
            : Phrase("\(counted) Answers are due by \(clock(roll.until)).")
    }

    private var counted: Phrase {
        Phrase("\(roll.here) of \(roll.all) are here.")
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
        roll.members.filter { [.missing, .lost].contains($0.state) }.map { name($0).text }
    }

    /// One line for each member: the missing first.
    package var table: Table {
        var table = Table([Phrase("NAME"), Phrase("HERE"), Phrase("SAID BY"), Phrase("AT"), Phrase("DEVICE")])
        for member in roll.members {
            let device = member.near ? Phrase("in reach") : Phrase("not in reach")
            table.add([
                .init(name(member)), state(member), .init(said(member)),
                .init(Phrase(verbatim: clock(member.at))), .init(device, .dim),
            ])
        }
        return table
    }

    private func state(_ member: RollView.Entry) -> Table.Cell {
        switch member.state {
        case .here: .init(Phrase("yes"), .green)
        case .late: .init(Phrase("came late"), .yellow)
        case .lost: .init(Phrase("is lost"), .red)
        case .missing: .init(Phrase("not here"), .red)
        }
    }

    private func said(_ member: RollView.Entry) -> Phrase {
        guard let by = member.by else { return .empty }
        return member.seen
            ? Phrase("\(TerminalText.safe(by)), who saw them") : Phrase(verbatim: TerminalText.safe(by))
    }

    private func name(_ member: RollView.Entry) -> Phrase {
        let name = MemberName(member.name, namesake: member.namesake ?? "").whole
        return GuestWords.named(TerminalText.safe(name), member.guestBy)
    }

    private func clock(_ time: String?) -> String { time.flatMap { Timestamp($0) }?.clockTime ?? "" }
}
