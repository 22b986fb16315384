import TourModel

/// Links whose peers have asked about files that are not open here, until they can be answered. A question may come
/// before the message that names the file, so it is kept for files of which nothing is known as well, a few of each
/// link.
package struct FileAskers {
    /// Files of which no message has come, and which one peer may ask about.
    package static let unknownMax = 16

    private var links: [BlobID: Set<LinkID>] = [:]

    package init() {}

    package mutating func note(_ link: LinkID, about id: BlobID, isKnown: (BlobID) -> Bool) {
        let unknown = links.count { !isKnown($0.key) && $0.value.contains(link) }
        if isKnown(id) || unknown < Self.unknownMax { links[id, default: []].insert(link) }
    }

    package func links(about id: BlobID) -> Set<LinkID> { links[id] ?? [] }

    /// They are answered, or there is nothing to say.
    package mutating func forget(_ id: BlobID) { links[id] = nil }

    package mutating func forget(_ link: LinkID) {
        links = links.compactMapValues { others in
            let rest = others.subtracting([link])
            return rest.isEmpty ? nil : rest
        }
    }
}
