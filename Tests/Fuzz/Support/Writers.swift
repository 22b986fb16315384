import TourCrypto
import TourModel

/// An author of valid logs, with a second branch that no honest author writes.
package struct Writer {
    package let identity: SigningKey
    package let id: MemberID
    /// Two branches that part behind the third event.
    package let branches: [[Event]]

    /// The machine's own member, two others who may announce, one who may not, and one whom the machine does not know.
    package static let all = (1...5).map { Writer(UInt8($0)) }
    package static let logLength = 24

    private init(_ number: UInt8) {
        let keys = SigningKeyPair(seed: SecretBytes([UInt8](repeating: number, count: SigningKeyPair.seedBytes)))
        identity = keys.publicKey
        id = MemberID(identity: identity)
        branches = (0..<2).map { Self.log(by: keys, branch: $0) }
    }

    private static func log(by keys: SigningKeyPair, branch: UInt8) -> [Event] {
        var previous = EventID.none
        return (1...logLength).map { number in
            let classes: [EventClass] = [.chat, .chat, .announcement, .chat, .announcement, .control, .profile]
            let body = number > 3 ? [branch, UInt8(number)] : [UInt8(number)]
            let header = EventHeader(
                eventClass: classes[number % classes.count], tour: FuzzTour.tour,
                author: MemberID(identity: keys.publicKey),
                sequence: UInt64(number), previous: previous,
                clock: LogicalClock(milliseconds: FuzzTour.wall + Int64(number)), epoch: .none,
                bodyHash: EventCrypto.bodyHash(body))
            let event = Event(header, signature: EventCrypto.sign(header.exactBytes, by: keys), body: body)
            previous = event.id
            return event
        }
    }
}
