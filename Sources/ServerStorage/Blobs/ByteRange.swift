/// The bytes of a blob that a request is about.
/// Source: RFC 9110, section 14.
package enum ByteRange {
    /// The piece of a whole that a client sends.
    package struct Piece: Hashable, Sendable {
        /// nil: the client sends no bytes and asks how many the server has.
        package let range: Range<Int64>?
        /// The size of the whole.
        package let total: Int64

        /// `bytes 0-65535/1000000` or `bytes */1000000`.
        /// - Returns: nil for anything else.
        package init?(contentRange text: String) {
            guard let match = text.wholeMatch(of: /bytes (?:(\d{1,18})-(\d{1,18})|\*)\/(\d{1,18})/),
                let total = Int64(match.3)
            else { return nil }
            self.total = total
            guard let first = match.1.flatMap({ Int64($0) }), let last = match.2.flatMap({ Int64($0) }) else {
                range = nil
                return
            }
            guard first <= last, last < total else { return nil }
            range = first..<(last + 1)
        }

        /// The whole in one piece.
        package init(whole total: Int64) {
            self.total = total
            range = 0..<total
        }
    }

    /// The bytes that a client asks for, out of a known total.
    package enum Wish: Hashable, Sendable {
        case whole
        case part(Range<Int64>)
        case beyond

        /// `bytes=0-65535`, `bytes=65536-` or `bytes=-500`. Any other header means the whole, as does a list of ranges.
        package init(_ header: String?, of total: Int64) {
            guard let match = header?.wholeMatch(of: /bytes=(\d{0,18})-(\d{0,18})/) else {
                self = .whole
                return
            }
            switch (Int64(match.1), Int64(match.2)) {
            case (nil, nil): self = .whole
            case (nil, let last?): self = last == 0 ? .beyond : .part(max(0, total - last)..<total)
            case (let first?, let last):
                if let last, last < first {
                    self = .whole
                } else {
                    self = first < total ? .part(first..<(min(last ?? .max, total - 1) + 1)) : .beyond
                }
            }
        }
    }
}
