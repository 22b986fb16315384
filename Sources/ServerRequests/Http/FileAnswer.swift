import HTTPTypes
import ServerBase
import ServerStorage

extension Answer {
    /// Answers with a whole file or one range of it, or with 304 when the client has the content already.
    /// Source: RFC 9110, sections 13 and 14.
    /// - Parameter mark: the entity tag of this content and no other, in quotation marks.
    /// - Throws: `rangeNotSatisfiable`.
    package static func file(
        _ file: any StoredBytes, bytes: Int64, mark: String, to head: HTTPRequest, headers: HTTPFields = [:]
    ) throws(Failure) -> Answer {
        var headers = headers
        headers[.acceptRanges] = "bytes"
        headers[.eTag] = mark
        if let known = head.headerFields[.ifNoneMatch], EntityTags(known).contain(mark) {
            return Answer(.notModified, headers: headers)
        }
        // A client that holds other content, by its If-Range, has no use for a range of this one.
        let condition = head.headerFields[.ifRange]
        let wish = condition == nil || condition == mark ? head.headerFields[.range] : nil
        switch ByteRange.Wish(wish, of: bytes) {
        case .whole: return Answer(.ok, content: .file(file, 0..<bytes), headers: headers)
        case .part(let range):
            headers[.contentRange] = "bytes \(range.lowerBound)-\(range.upperBound - 1)/\(bytes)"
            return Answer(.partialContent, content: .file(file, range), headers: headers)
        case .beyond: throw Failure(.rangeNotSatisfiable, headers: [.contentRange: "bytes */\(bytes)"])
        }
    }
}

/// The entity tags in an If-None-Match: `*`, or a list in which weak tags count as strong.
/// Source: RFC 9110, section 13.1.2.
package struct EntityTags {
    private let isAny: Bool
    /// The tags with their quotation marks, without `W/`.
    private var marks: Set<String> = []

    /// - Parameter header: the value of If-None-Match.
    package init(_ header: String) {
        let text = header.filter { $0 != " " && $0 != "\t" }
        isAny = text == "*"
        for match in text.matches(of: /(?:W\/)?("[^"]*")/) { marks.insert(String(match.1)) }
    }

    /// Whether the header matches this tag.
    package func contain(_ mark: String) -> Bool { isAny || marks.contains(mark) }
}

extension HTTPField.Name {
    static let ifRange = Self("If-Range")!
}
