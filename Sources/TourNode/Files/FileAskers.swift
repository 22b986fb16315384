import TourModel

/// Links whose peers asked about files that are not open here, until we can answer. A question may arrive before the
/// message that names the file, so questions about unknown files are kept too, a few for each link.
package struct FileAskers {
    /// How many files without a message one peer may ask about.
    package static let unknownMax = 16

    private var links: [BlobID: Set<LinkID>] = [:]

    package init() {}

    /// Keeps a question of the peer at `link`; drops it when that peer asks about too many unknown files.
    package mutating func record(_ link: LinkID, about id: BlobID, isKnown: (BlobID) -> Bool) {
        let unknown = links.count { !isKnown($0.key) && $0.value.contains(link) }
        if isKnown(id) || unknown < Self.unknownMax { links[id, default: []].insert(link) }
    }

    /// Links whose peers asked about this file.
    package func links(about id: BlobID) -> Set<LinkID> { links[id] ?? [] }

    /// The questions about this file were answered, or there is nothing to answer.
    package mutating func forget(_ id: BlobID) { links[id] = nil }

    /// Drops the questions of a link that closed.
    package mutating func forget(_ link: LinkID) {
        links = links.compactMapValues { others in
            let rest = others.subtracting([link])
            return rest.isEmpty ? nil : rest
        }
    }
}
