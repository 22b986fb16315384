/// The lines removed from a text and those added. Source: `Protocol/12-notebook.md`, "Differences".
package struct LineDifference: Hashable, Sendable {
    /// A line that only one of the two texts has.
    package struct Line: Hashable, Sendable {
        /// Whether the new text has it.
        package var isAdded: Bool
        /// Its number from 1 in the text that has it.
        package var number: Int
        /// The line's text.
        package var text: String

        package init(isAdded: Bool, number: Int, text: String) {
            self.isAdded = isAdded
            self.number = number
            self.text = text
        }
    }

    /// In the order of the texts; where lines were replaced, the removed ones come first.
    package let lines: [Line]

    package init(from old: String, to new: String) {
        var comparison = Comparison(old: Self.lines(of: old), new: Self.lines(of: new))
        comparison.run()
        lines = comparison.found
    }

    /// The number of added lines.
    package var added: Int { lines.count { $0.isAdded } }
    /// The number of removed lines.
    package var removed: Int { lines.count - added }

    /// An empty text has no lines.
    private static func lines(of text: String) -> [Substring] {
        text.isEmpty ? [] : text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
    }
}

/// Finds few lines, not always the fewest: it compares a text of a hundred pages in a moment, whatever its contents.
private struct Comparison {
    let old: [Substring]
    let new: [Substring]
    var found: [LineDifference.Line] = []

    init(old: [Substring], new: [Substring]) {
        self.old = old
        self.new = new
    }

    /// The most pairs of lines up to which two stretches are compared line by line.
    private static let pairsMax = 1 << 16

    mutating func run() {
        let (olds, news) = trimmed(old.indices, new.indices)
        guard olds.count * news.count > Self.pairsMax else { return compare(olds, news) }
        // Lines that occur once in each text, and in the same order, separate the stretches.
        var (lastOld, lastNew) = (olds.lowerBound, news.lowerBound)
        for anchor in anchors(olds, news) + [(olds.upperBound, news.upperBound)] {
            let (gapOld, gapNew) = trimmed(lastOld..<anchor.old, lastNew..<anchor.new)
            if gapOld.count * gapNew.count > Self.pairsMax { replace(gapOld, gapNew) } else { compare(gapOld, gapNew) }
            (lastOld, lastNew) = (min(anchor.old + 1, olds.upperBound), min(anchor.new + 1, news.upperBound))
        }
    }

    /// The ranges without their common beginning and end.
    private func trimmed(_ olds: Range<Int>, _ news: Range<Int>) -> (Range<Int>, Range<Int>) {
        var (first, second) = (olds, news)
        while !first.isEmpty, !second.isEmpty, old[first.lowerBound] == new[second.lowerBound] {
            first = first.dropFirst()
            second = second.dropFirst()
        }
        while !first.isEmpty, !second.isEmpty, old[first.upperBound - 1] == new[second.upperBound - 1] {
            first = first.dropLast()
            second = second.dropLast()
        }
        return (first, second)
    }

    private func anchors(_ olds: Range<Int>, _ news: Range<Int>) -> [(old: Int, new: Int)] {
        let inOld = Dictionary(olds.map { (old[$0], [$0]) }, uniquingKeysWith: +)
        let inNew = Dictionary(news.map { (new[$0], 1) }, uniquingKeysWith: +)
        let pairs = news.compactMap { place -> (old: Int, new: Int)? in
            guard inNew[new[place]] == 1, let places = inOld[new[place]], places.count == 1 else { return nil }
            return (places[0], place)
        }
        return LongestRise(of: pairs.map(\.old)).places.map { pairs[$0] }
    }

    private mutating func compare(_ olds: Range<Int>, _ news: Range<Int>) {
        let changes = new[news].difference(from: old[olds])
        var (goes, comes) = (Set<Int>(), Set<Int>())
        for change in changes {
            switch change {
            case .remove(let offset, _, _): goes.insert(olds.lowerBound + offset)
            case .insert(let offset, _, _): comes.insert(news.lowerBound + offset)
            }
        }
        var (first, second) = (olds.lowerBound, news.lowerBound)
        while first < olds.upperBound || second < news.upperBound {
            if first < olds.upperBound, goes.contains(first) {
                appendLine(at: first, isAdded: false)
                first += 1
            } else if second < news.upperBound, comes.contains(second) {
                appendLine(at: second, isAdded: true)
                second += 1
            } else {
                first += 1
                second += 1
            }
        }
    }

    private mutating func replace(_ olds: Range<Int>, _ news: Range<Int>) {
        for place in olds { appendLine(at: place, isAdded: false) }
        for place in news { appendLine(at: place, isAdded: true) }
    }

    private mutating func appendLine(at place: Int, isAdded: Bool) {
        let text = String(isAdded ? new[place] : old[place])
        found.append(LineDifference.Line(isAdded: isAdded, number: place + 1, text: text))
    }
}
