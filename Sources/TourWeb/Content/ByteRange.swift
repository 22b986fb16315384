/// The one part of a content that a request asks for. Source: RFC 9110, sections 14.1 and 14.2.
package enum ByteRange: Hashable, Sendable {
    /// All of it: the request names no range, or one that this server does not support.
    case whole
    case part(Range<UInt64>)
    /// No part of the range exists.
    case none

    /// - Parameters:
    ///   - header: the field `Range`; several ranges, or another unit, give the whole content.
    ///   - size: of the content.
    package init(_ header: String?, size: UInt64) {
        self = .whole
        let unit = "bytes="
        guard let header, header.lowercased().hasPrefix(unit), !header.contains(",") else { return }
        let bounds = header.dropFirst(unit.count).split(separator: "-", omittingEmptySubsequences: false)
        guard bounds.count == 2 else { return }
        switch (Self.number(bounds[0]), Self.number(bounds[1])) {
        case (let first?, let last?):
            guard first <= last else { return }
            self = first < size ? .part(first..<min(last, size - 1) + 1) : .none
        case (let first?, nil):
            guard bounds[1].isEmpty else { return }
            self = first < size ? .part(first..<size) : .none
        case (nil, let count?):
            guard bounds[0].isEmpty else { return }
            self = count > 0 && size > 0 ? .part(size - min(count, size)..<size) : .none
        case (nil, nil): return
        }
    }

    /// Accepts digits alone; a number larger than any file counts as the largest one.
    private static func number(_ text: Substring) -> UInt64? {
        guard !text.isEmpty, text.utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }) else {
            return nil
        }
        return UInt64(text) ?? .max
    }
}
