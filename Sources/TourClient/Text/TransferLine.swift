import TourWords

/// A file's progress, in one line:
/// `photo.jpg  ██████████░░░░░░░░░░  52 %  2.7 MB of 5.2 MB  1.4 MB/s  3 peers  2 s left`
package struct TransferLine: Hashable, Sendable {
    private static let barColumns = 8...30
    private static let titleColumnsMin = 12

    private let title: String
    private let done: UInt64
    private let total: UInt64
    private let peers: Int
    private let bytesPerSecond: UInt64?

    /// - Parameter title: a file's name, as anybody gave it.
    /// - Parameter peers: the members that send it, or receive it.
    /// - Parameter bytesPerSecond: nil where it is not known.
    package init(title: String, done: UInt64, total: UInt64, peers: Int, bytesPerSecond: UInt64?) {
        self.title = TerminalText.safe(title)
        self.done = min(done, total)
        self.total = total
        self.peers = peers
        self.bytesPerSecond = bytesPerSecond
    }

    /// - Parameter columns: the available width: first the bar becomes shorter, then details are dropped, then the
    ///   bar.
    /// - Parameter isColored: whether the bar has a colour.
    package func text(columns: Int, isColored: Bool = false, in language: Language = .ofUser) -> String {
        let titleColumns = min(DisplayWidth.of(title), max(Self.titleColumnsMin, columns / 3))
        for details in details {
            let end = Phrase([percentage] + details, separator: "  ").said(in: language)
            let room = columns - titleColumns - DisplayWidth.of(end) - 4
            guard room >= Self.barColumns.lowerBound else { continue }
            let bar = bar(min(room, Self.barColumns.upperBound), isColored: isColored)
            return "\(DisplayWidth.fitting(title, columns: titleColumns))  \(bar)  \(end)"
        }
        let percentage = percentage.said(in: language)
        let room = columns - DisplayWidth.of(percentage) - 2
        guard room > 1 else { return DisplayWidth.fitting(percentage, columns: columns) }
        return "\(DisplayWidth.fitting(title, columns: room))  \(percentage)"
    }

    /// A hundred only when all of it is here.
    private var percent: Int {
        guard done < total else { return 100 }
        return min(Int(Double(done) / Double(total) * 100), 99)
    }

    private var percentage: Phrase { Phrase("\(percent) %") }

    /// The details after the percentage, from all to none.
    private var details: [[Phrase]] {
        let bytes =
            done == total
            ? ByteCount.shown(total) : Phrase("\(ByteCount.shown(done)) of \(ByteCount.shown(total))")
        let rate = bytesPerSecond.map { ByteCount.shown(aSecond: $0) }
        let company = peers == 0 ? Phrase("no peers") : Phrase(peers, one: "\(peers) peer", other: "\(peers) peers")
        let kept: [[Phrase?]] = [
            [bytes, rate, company, timeLeft], [bytes, rate, timeLeft], [rate, timeLeft], [timeLeft ?? rate], [],
        ]
        return kept.map { $0.compactMap(\.self) }
    }

    private var timeLeft: Phrase? {
        guard done < total, let bytesPerSecond, bytesPerSecond > 0 else { return nil }
        let rest = total - done
        let seconds = rest / bytesPerSecond + (rest % bytesPerSecond == 0 ? 0 : 1)
        return Phrase("\(DurationArgument.shown(seconds: Int(clamping: seconds))) left")
    }

    private func bar(_ columns: Int, isColored: Bool) -> String {
        let full = columns * percent / 100
        let done = String(repeating: "█", count: full)
        return (isColored ? Style.cyan.around(done) : done) + String(repeating: "░", count: columns - full)
    }
}
