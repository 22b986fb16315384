import TourAPI
import TourWords

/// The members beside the messages, in a wide window: lost members first, then those near.
package struct MemberPane: Hashable, Sendable {
    /// Top to bottom, styled, none wider than the pane.
    package let rows: [String]

    private static let windowColumnsMin = 100
    private static let columnsRange = 24...36
    private static let border = " │ "

    /// The width of the pane in a window of this width; 0 in a narrow one.
    package static func columns(ofWindow columns: Int) -> Int {
        guard columns >= windowColumnsMin else { return 0 }
        return min(max(columns / 4, columnsRange.lowerBound), columnsRange.upperBound)
    }

    /// - Parameter rows: how many there are; the last one counts the members that do not fit.
    package init(_ state: ChatState, columns: Int, rows: Int, colored: Bool, in language: Language) {
        let lost = Set(state.asked.alarms.filter { AlarmWords($0).isOpen }.map(\.memberID))
        let members = state.members.filter(\.isActive).enumerated().sorted { left, right in
            (Self.place(left.element, lost), left.offset) < (Self.place(right.element, lost), right.offset)
        }.map(\.element)
        let room = max(rows - 1, 0)
        let shown = members.count <= room ? members.count : max(room - 1, 0)
        let width = columns - DisplayWidth.of(Self.border)
        var lines = [String]()
        if !members.isEmpty {
            let title = DisplayWidth.fitting(state.near.said(in: language), columns: width)
            lines.append(colored ? Style.bold.around(title) : title)
        }
        for member in members.prefix(shown) {
            lines.append(Self.line(member, isLost: lost.contains(member.id), width, colored: colored, language))
        }
        if shown < members.count {
            let count = members.count - shown
            let more = Phrase("and \(count) more").said(in: language)
            lines.append(DisplayWidth.fitting(more, columns: width))
        }
        lines = Array(lines.prefix(rows))
        lines += [String](repeating: "", count: rows - lines.count)
        self.rows = lines.map { Self.border + $0 }
    }

    private static func place(_ member: ChatMember, _ lost: Set<String>) -> Int {
        lost.contains(member.id) ? 0 : member.isMe ? 1 : member.isNear ? 2 : 3
    }

    private static func line(
        _ member: ChatMember, isLost: Bool, _ width: Int, colored: Bool, _ language: Language
    ) -> String {
        let mark = isLost ? "! " : member.isNear ? "● " : "○ "
        let sign = member.name.sign
        let room = width - DisplayWidth.of(mark) - DisplayWidth.of(sign)
        let given = member.name.given
        let called = member.host.map { Phrase("\(given) (guest of \($0))").said(in: language) } ?? given
        let name = DisplayWidth.fitting(called, columns: room) + sign
        guard colored else { return mark + name }
        if isLost { return Style.red.around(mark + name) }
        return member.isNear ? mark + Style.member(member.color).around(name) : Style.dim.around(mark + name)
    }
}
