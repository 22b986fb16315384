import TourModel

/// The bounds of lists in a message, checked before the message is decoded: an element has at least two bytes on the
/// wire, and may have a hundred once decoded. Counts span the whole message, since a repeated field is merged with its
/// earlier occurrences. Source: `Protocol/04-framing.md`, "Limits".
struct ListBounds: Sendable {
    enum List: Sendable {
        /// Bytes or messages, one in each field.
        case elements(atMost: Int)
        /// Numbers of eight bytes, packed or one in each field.
        case words(atMost: Int)
        /// Numbers of variable length, packed or one in each field.
        case varints(atMost: Int)

        fileprivate var bound: Int {
            switch self {
            case .elements(let bound), .words(let bound), .varints(let bound): bound
            }
        }

        /// The number of elements that a field adds.
        /// - Parameter content: nil for a field with a single number.
        fileprivate func count(in content: ArraySlice<UInt8>?) -> Int {
            guard let content else { return 1 }
            switch self {
            case .elements: return 1
            case .words: return content.count / 8
            case .varints: return content.count { $0 < 0x80 }
            }
        }
    }

    /// For each field that holds a message, the bounded lists of that message by field.
    var lists: [UInt64: [UInt64: List]] = [:]
    /// The bounded lists of the outer message by field.
    var own: [UInt64: List] = [:]

    /// Whether all lists are within their bounds; false also for bytes that are no message.
    func hold(for bytes: some Collection<UInt8>) -> Bool {
        var counts = [UInt64: [UInt64: Int]]()
        var ownCounts = [UInt64: Int]()
        var outer = WireFields(ArraySlice(bytes))
        while let field = outer.next() {
            if let list = own[field.number] {
                let count = (ownCounts[field.number] ?? 0) + list.count(in: field.content)
                guard count <= list.bound else { return false }
                ownCounts[field.number] = count
            }
            guard let lists = lists[field.number], let content = field.content else { continue }
            var inner = WireFields(content)
            while let element = inner.next() {
                guard let list = lists[element.number] else { continue }
                let count = (counts[field.number]?[element.number] ?? 0) + list.count(in: element.content)
                guard count <= list.bound else { return false }
                counts[field.number, default: [:]][element.number] = count
            }
            guard inner.isSound else { return false }
        }
        return outer.isSound
    }
}

extension ListBounds {
    static let linkMessage = ListBounds(lists: [
        3: [1: .elements(atMost: Limits.epochKeysMax)],
        5: [
            1: .words(atMost: Limits.headsPerMessageMax), 2: .varints(atMost: Limits.headsPerMessageMax),
            3: .words(atMost: Limits.headsPerMessageMax),
        ],
        6: [4: .elements(atMost: Limits.runEventsMax)],
        7: [2: .elements(atMost: Limits.pullRangesMax)],
        10: [1: .elements(atMost: Limits.controlIndexMax)],
        11: [1: .elements(atMost: Limits.controlsPerMessageMax)],
        12: [1: .elements(atMost: Limits.rowsPerMessageMax)],
        40: [1: .elements(atMost: Limits.epochsAskedMax)],
        41: [1: .elements(atMost: Limits.epochKeysMax)],
        51: [1: .elements(atMost: Limits.positionsPerMessageMax)],
        61: [2: .varints(atMost: Limits.blobGotMax)],
        62: [
            2: .varints(atMost: Limits.blobPagesMax), 3: .varints(atMost: Limits.blobAskedMax),
            4: .varints(atMost: Limits.blobGotMax),
        ],
        64: [4: .varints(atMost: Limits.blobGotMax)],
        65: [2: .varints(atMost: Limits.blobAskedMax)],
        66: [1: .elements(atMost: Limits.castAsksMax)],
    ])

    static let sharedPlace = ListBounds(own: [3: .elements(atMost: Limits.notebookTagsMax)])
    static let sharedItinerary = ListBounds(own: [2: .elements(atMost: Limits.notebookStopsMax)])

    static let controlBody = ListBounds(lists: [
        3: [2: .elements(atMost: Limits.membersMax)],
        7: [4: .elements(atMost: Limits.rolesReplacedMax), 5: .elements(atMost: Limits.controlsNamedMax)],
        8: [
            4: .elements(atMost: Limits.invitesRevokedMax), 5: .elements(atMost: Limits.membersMax),
            6: .elements(atMost: Limits.controlsNamedMax),
        ],
        9: [3: .elements(atMost: Limits.rolesReplacedMax)],
        11: [
            1: .elements(atMost: Limits.rekeyParentsMax), 4: .words(atMost: Limits.rekeyRecipientsMax),
            5: .varints(atMost: Limits.rekeyRecipientsMax), 7: .words(atMost: Limits.rekeyExcludedMax),
        ],
    ])
}

/// The fields of a message in wire order. Source: protobuf's encoding, "Message structure".
private struct WireFields {
    struct Field {
        let number: UInt64
        /// The bytes of a field with a length; nil for a single number.
        let content: ArraySlice<UInt8>?
    }

    private var rest: ArraySlice<UInt8>
    private(set) var isSound = true

    init(_ bytes: ArraySlice<UInt8>) { rest = bytes }

    /// - Returns: nil at the end and for malformed bytes: `isSound` tells the two apart.
    mutating func next() -> Field? {
        guard !rest.isEmpty, isSound else { return nil }
        guard let tag = varint(), tag >> 3 > 0 else { return stop() }
        switch tag & 7 {
        case 0: return varint() == nil ? stop() : Field(number: tag >> 3, content: nil)
        case 1: return read(8) == nil ? stop() : Field(number: tag >> 3, content: nil)
        case 2:
            guard let length = varint(), let content = read(length) else { return stop() }
            return Field(number: tag >> 3, content: content)
        // Groups are obsolete; the fields in one count as if they were outside it.
        case 3, 4: return Field(number: 0, content: nil)
        case 5: return read(4) == nil ? stop() : Field(number: tag >> 3, content: nil)
        default: return stop()
        }
    }

    private mutating func stop() -> Field? {
        isSound = false
        return nil
    }

    private mutating func read(_ count: UInt64) -> ArraySlice<UInt8>? {
        guard count <= UInt64(rest.count) else { return nil }
        defer { rest = rest.dropFirst(Int(count)) }
        return rest.prefix(Int(count))
    }

    /// Reads at most ten bytes.
    private mutating func varint() -> UInt64? {
        var value: UInt64 = 0
        for (index, byte) in rest.prefix(10).enumerated() {
            value |= UInt64(byte & 0x7F) << UInt64(7 * index)
            guard byte >= 0x80 else {
                rest = rest.dropFirst(index + 1)
                return value
            }
        }
        return nil
    }
}
