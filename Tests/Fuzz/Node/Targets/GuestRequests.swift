import FuzzSupport
import TourJSON
import TourModel
import TourNode
import TourWeb

/// What a guest's phone sends: the frame of a request, the parts of its plaintext, and what the JSON asks for. Whatever
/// is read keeps within the bounds that the acts of the host rely on.
enum GuestRequestHarness {
    private static let idBytes = 32

    static func run(_ bytes: [UInt8]) {
        if let sealed = SealedRequest(bytes) {
            let head = sealed.session + (0..<8).reversed().map { UInt8(truncatingIfNeeded: sealed.number >> ($0 * 8)) }
            check(head + sealed.box == bytes, "a request is not read as it is")
        }
        // Most inputs have no length in front that fits: these are read as JSON alone.
        guard let (json, rest) = GuestPlaintext.parts(bytes) else { return read(bytes[...], []) }
        check(GuestPlaintext.joined(json, Array(rest)) == bytes, "the parts are not the whole")
        read(json, Array(rest))
    }

    private static func read(_ json: ArraySlice<UInt8>, _ bytes: [UInt8]) {
        guard let json = try? JSON(parsing: json), let request = try? GuestRequest(json, bytes: bytes) else { return }
        switch request {
        case .hello, .digits, .got: break
        case .enter(let pass, _, let secret):
            check(pass.count == SeatPass.secretBytes && secret.count == 32, "a pass or secret of another length")
        case .resume(let member, let secret, let head, let tail):
            checkID(member)
            if !head.id.isEmpty { checkID(head.id) }
            check(secret.count == 32, "a secret of another length")
            check(
                tail.count <= SeatLimits.tailMax
                    && tail.reduce(0) { $0 + $1.count } <= SeatLimits.tailBytesMax, "a tail too long")
        case .write(let write): judge(write)
        case .confirm(let id), .message(let id), .read(through: let id): checkID(id)
        case .messages(let place, let count):
            check((1...GuestLimits.messagesMax).contains(count), "\(count) messages at once")
            switch place {
            case .before(let id), .after(let id), .around(let id): checkID(id)
            case .last, .unread: break
            }
        case .upload(let part):
            check(part.bytes.count <= GuestLimits.partBytesMax && part.size > 0, "a part of a picture too large")
        case .picture(let id, _, _), .file(let id, _), .shared(let id): checkID(id)
        case .search(let words):
            check(
                !words.isEmpty && words.allSatisfy { !$0.isEmpty }
                    && words.reduce(0) { $0 + $1.utf8.count } <= GuestLimits.searchBytesMax, "words too long")
        case .position(let position):
            let isBounded =
                (0...Limits.sharingMillisecondsMax / 1_000).contains(position.seconds)
                && (0...60).contains(position.age) && position.accuracyMetres <= Fix.accuracyMax
            check(isBounded, "a position beyond its bounds")
        }
    }

    private static func judge(_ write: GuestWrite) {
        switch write {
        case .picture(_, _, let answered), .act(.text(_, let answered)), .act(.word(_, let answered)):
            answered.map(checkID)
        case .act(.understood(let id)), .act(.found(let id)), .act(.withdraw(let id)): checkID(id)
        case .act(.meetingAnswer(let id, _, let minutes)):
            checkID(id)
            check(minutes >= 0, "minutes before now")
        case .act(.alarm(_, let battery, _)):
            check(battery.map { (0...100).contains($0) } ?? true, "a battery beyond its bounds")
        case .act(.rollAnswer(let id, _)): checkID(id)
        case .act(.name), .act(.leave): break
        case .act(.picture): check(false, "a phone names a file of this machine")
        }
    }

    /// A whole id in lower-case digits.
    private static func checkID(_ id: String) {
        let isID = id.utf8.count == idBytes * 2 && id.allSatisfy { "0123456789abcdef".contains($0) }
        check(isID, "'\(id)' passes for an id")
    }
}
