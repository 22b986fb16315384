import TourModel

extension EventHeader {
    /// - Throws: `WireError` of scope record.
    package init(decoding bytes: some Collection<UInt8>) throws(WireError) {
        var reader = ByteReader(bytes)
        guard let version: UInt8 = reader.integer() else { throw .eventTruncated }
        guard version == Self.version else { throw .eventVersion }
        guard let rawClass: UInt8 = reader.integer(),
            let tour = reader.slice(32).flatMap({ TourID($0) }),
            let author = reader.slice(32).flatMap({ MemberID($0) }),
            let sequence: UInt64 = reader.integer(),
            let previous = reader.slice(32).flatMap({ EventID($0) }),
            let clock: UInt64 = reader.integer(),
            let epoch = reader.slice(32).flatMap({ EpochID($0) }),
            let bodyHash = reader.slice(32).flatMap({ Bytes32($0) })
        else { throw .eventTruncated }
        guard sequence > 0 else { throw .eventMalformed }
        self.init(
            eventClass: EventClass(rawValue: rawClass), tour: tour, author: author, sequence: sequence,
            previous: previous, clock: LogicalClock(value: clock), epoch: epoch, bodyHash: bodyHash)
    }
}

extension EventClass {
    /// The largest body of this class, in bytes.
    package var bodyBytesMax: Int {
        self == .control ? Limits.controlBodyBytesMax : Limits.sealedBodyBytesMax
    }
}

/// The parts of an event's bytes, all unverified: the caller checks hashes and signature.
package struct RawEvent: Hashable, Sendable {
    /// The decoded header.
    package var header: EventHeader
    /// The signature over the header.
    package var signature: ArraySlice<UInt8>
    package var body: ArraySlice<UInt8>

    package init(header: EventHeader, signature: ArraySlice<UInt8>, body: ArraySlice<UInt8>) {
        self.header = header
        self.signature = signature
        self.body = body
    }

    /// - Throws: `WireError` of scope record.
    package init(decoding bytes: [UInt8]) throws(WireError) {
        guard bytes.count >= Event.bodyOffset else { throw .eventTruncated }
        let header = try EventHeader(decoding: bytes[..<EventHeader.length])
        let body = bytes[Event.bodyOffset...]
        guard body.count <= header.eventClass.bodyBytesMax else { throw .eventMalformed }
        self.init(header: header, signature: bytes[EventHeader.length..<Event.bodyOffset], body: body)
    }

    /// Header, signature and body in one array.
    package func encode() -> [UInt8] {
        var bytes = header.exactBytes
        bytes.reserveCapacity(Event.bodyOffset + body.count)
        bytes.append(contentsOf: signature)
        bytes.append(contentsOf: body)
        return bytes
    }
}
