import TourModel

/// What `POST /messages/sync` carries: `{"messages":[{…}]}`. Names that it does not know are passed over, and a name that
/// comes for the second time, as by the decoder of the other routes.
struct PushBody: Sendable {
    private(set) var entries: [PushedEntry] = []

    /// - Throws: `badJSON`; `invalid` naming what is missing, of another type or too much.
    init(_ body: [UInt8]) throws(Failure) {
        var scanner = JSONScanner(body)
        // The text is read to its end first: what is no JSON is that before anything else.
        var fault: Failure? = .invalid("messages")
        var isRead = false
        if try scanner.next() == .object {
            try scanner.object { name, scanner throws(Failure) in
                guard !isRead, name.content(in: body).elementsEqual("messages".utf8) else { return try scanner.skip() }
                isRead = true
                fault = try takeMessages(&scanner)
            }
        } else {
            fault = .invalid("body")
            try scanner.skip()
        }
        try scanner.end()
        if let fault { throw fault }
    }

    /// - Returns: what is wrong with them.
    private mutating func takeMessages(_ scanner: inout JSONScanner) throws(Failure) -> Failure? {
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
