import TourModel

/// The body of `POST /messages/sync`: `{"messages":[{…}]}`. Unknown names are skipped, as is a name that appears a
/// second time, which is how the decoder of the other routes behaves.
struct PushBody: Sendable {
    private(set) var entries: [PushedEntry] = []

    /// - Throws: `badJSON`; `invalidField` naming the field that is missing, of another type or too long.
    init(_ body: [UInt8]) throws(Failure) {
        var scanner = JSONScanner(body)
        // The text is read to its end first: broken JSON is reported before any other fault.
        var fault: Failure? = .invalid("messages")
        var isRead = false
        if try scanner.next() == .object {
            try scanner.object { name, scanner throws(Failure) in
                guard !isRead, name.content(in: body).elementsEqual("messages".utf8) else { return try scanner.skip() }
                isRead = true
                fault = try readMessages(&scanner)
            }
        } else {
            fault = .invalid("body")
            try scanner.skip()
        }
        try scanner.end()
        if let fault { throw fault }
    }

    /// - Returns: the first fault of the messages; nil when they are sound.
    private mutating func readMessages(_ scanner: inout JSONScanner) throws(Failure) -> Failure? {
        guard try scanner.next() == .array else {
            try scanner.skip()
            return .invalid("messages")
        }
        var fault: Failure?
        try scanner.array { index, scanner throws(Failure) in
            guard fault == nil, index < Limits.mailboxPushEventsMax else {
                fault = fault ?? .invalid("messages")
                return try scanner.skip()
            }
            guard try scanner.next() == .object else {
                fault = .invalid("messages[\(index)]")
                return try scanner.skip()
            }
            guard let entry = try PushedEntry(&scanner) else {
                fault = .invalid("messages[\(index)].localId")
                return
            }
            entries.append(entry)
        }
        return fault
    }
}
