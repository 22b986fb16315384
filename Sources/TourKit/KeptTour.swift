import TourCrypto
import TourGossip
import TourGroup
import TourModel
import TourRuntime
import TourWire

/// One tour as the app keeps it: records under keys that begin with the tour's id.
///
/// ```
/// TOUR/secrets                our private keys and the epochs' keys (SessionSecrets)          secret
/// TOUR/code                   the invite that we joined with, and its join secret             secret
/// TOUR/own                    version u8 (1) | OwnLogState u8 | read clock u64 | claim counter u64
/// TOUR/marks/AUTHOR           sent u64 | delivered u64 | read u64
/// TOUR/event/AUTHOR/SEQUENCE  an event in exact bytes; sixteen digits of hexadecimal
/// TOUR/ahead/AUTHOR/SEQUENCE  the same, before the log reaches it
/// TOUR/control/EVENT          a control event that no log here holds yet
/// ```
struct KeptTour {
    /// What is kept beside events and keys.
    struct Own: Hashable {
        var log = OwnLogState.ready
        var readThrough = LogicalClock.zero
        var claimCounter: UInt64 = 0
    }

    private static let version: UInt8 = 1

    var secrets: SessionSecrets?
    var origin: (invite: SigningKey, secret: SecretBytes)?
    var own = Own()
    var marks: [MemberID: Watermark] = [:]
    var events: [Event] = []
    var aheadEvents: [Event] = []
    var controls: [[UInt8]] = []

    // MARK: - Records

    static func secrets(_ secrets: SessionSecrets, of tour: TourID) -> KeptRecord {
        KeptRecord("\(tour.hex)/secrets", secrets.encoded.exposedCopy(), isSecret: true)
    }

    static func origin(_ invite: SigningKey, _ secret: SecretBytes, of tour: TourID) -> KeptRecord {
        KeptRecord("\(tour.hex)/code", invite.bytes + secret.exposedCopy(), isSecret: true)
    }

    static func own(_ own: Own, of tour: TourID) -> KeptRecord {
        var bytes = [version, own.log.rawValue]
        bytes.append(bigEndian: own.readThrough.value)
        bytes.append(bigEndian: own.claimCounter)
        return KeptRecord("\(tour.hex)/own", bytes)
    }

    static func mark(_ mark: Watermark, of tour: TourID) -> KeptRecord {
        var bytes = [UInt8]()
        for value in [mark.sentThrough, mark.deliveredThrough, mark.readThrough] { bytes.append(bigEndian: value) }
        return KeptRecord("\(tour.hex)/marks/\(mark.author.hex)", bytes)
    }

    static func logged(_ event: Event) -> KeptRecord { KeptRecord(place(of: event, in: "event"), event.bytes) }

    static func ahead(_ event: Event, isKept: Bool) -> KeptRecord {
        KeptRecord(place(of: event, in: "ahead"), isKept ? event.bytes : nil)
    }

    static func control(_ event: Event) -> KeptRecord {
        KeptRecord("\(event.header.tour.hex)/control/\(event.id.hex)", event.bytes)
    }

    /// - Parameter bytes: a control event in exact bytes.
    /// - Returns: nil for bytes that are no event.
    static func control(_ bytes: [UInt8], of tour: TourID) -> KeptRecord? {
        event(bytes).map { KeptRecord("\(tour.hex)/control/\($0.id.hex)", bytes) }
    }

    static func droppedControl(_ id: EventID, of tour: TourID) -> KeptRecord {
        KeptRecord("\(tour.hex)/control/\(id.hex)", nil)
    }

    private static func place(of event: Event, in part: String) -> String {
        let header = event.header
        // A genesis has no tour in its header: it names its own.
        let tour = header.tour == .none ? TourID(genesis: event.bytes) : header.tour
        var sequence = [UInt8]()
        sequence.append(bigEndian: header.sequence)
        return "\(tour.hex)/\(part)/\(header.author.hex)/\(Hex.encode(sequence))"
    }

    // MARK: - Reading

    /// The tours in these records. Records under unknown keys, of a later version, are left out.
    static func tours(in records: [String: [UInt8]]) -> [TourID: KeptTour] {
        var tours = [TourID: KeptTour]()
        // In the order of the keys each log comes in the order of its sequences.
        for (key, value) in records.sorted(by: { $0.key < $1.key }) {
            let parts = key.split(separator: "/")
            guard parts.count > 1, let tour = TourID(hex: String(parts[0])) else { continue }
            tours[tour, default: KeptTour()].read(parts.dropFirst().map(String.init), value)
        }
        return tours
    }

    private mutating func read(_ key: [String], _ value: [UInt8]) {
        switch key[0] {
        case "secrets": secrets = SessionSecrets(decoding: SecretBytes(value))
        case "code":
            guard value.count == 2 * Bytes32.count, let invite = SigningKey(value.prefix(Bytes32.count)) else { return }
            origin = (invite, SecretBytes(value.suffix(Bytes32.count)))
        case "own": readOwn(value)
        case "marks":
            var reader = ByteReader(value)
            guard key.count == 2, let author = MemberID(hex: key[1]), let sent: UInt64 = reader.integer(),
                let delivered: UInt64 = reader.integer(), let read: UInt64 = reader.integer()
            else { return }
            marks[author] = Watermark(
                author: author, sentThrough: sent, deliveredThrough: delivered, readThrough: read)
        case "event": if let event = Self.event(value) { events.append(event) }
        case "ahead": if let event = Self.event(value) { aheadEvents.append(event) }
        case "control": controls.append(value)
        default: break
        }
    }

    private mutating func readOwn(_ value: [UInt8]) {
        var reader = ByteReader(value)
        guard let version: UInt8 = reader.integer(), version == Self.version, let log: UInt8 = reader.integer(),
            let read: UInt64 = reader.integer(), let counter: UInt64 = reader.integer()
        else { return }
        // A state that only a later version knows is no permission to write.
        own = Own(
            log: OwnLogState(rawValue: log) ?? .restored, readThrough: LogicalClock(value: read), claimCounter: counter)
    }

    /// - Returns: nil for bytes that are no event.
    private static func event(_ bytes: [UInt8]) -> Event? {
        guard let raw = try? RawEvent(decoding: bytes) else { return nil }
        let id = EventCrypto.id(headerBytes: bytes[..<EventHeader.length], signature: raw.signature)
        return Event(header: raw.header, id: id, bytes: bytes)
    }
}
