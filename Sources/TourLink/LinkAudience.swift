import TourModel
import TourWire

/// The messages that the peer of an open link may send. Source: `Protocol/04-framing.md`, "Messages".
enum LinkAudience: Sendable {
    case member
    /// A peer that claims to be a member and whose key our roster lacks.
    case restricted
    /// A former member: this node tells it so, and ignores what it sends.
    case former
    /// A holder of an invite code that has sent its one request.
    case joiner
    /// The member that answers our own join request.
    case host
    /// Somebody who asks to join without a code.
    case asker
    /// The member whom we ask.
    case asked

    enum Verdict: Sendable {
        case passes
        /// Ignored for now, and no fault: a peer that already knows us may send more than we can accept.
        case isDropped
        case isRefused
    }

    init(_ kind: LinkPeer.Kind) {
        switch kind {
        case .member: self = .member
        case .restricted: self = .restricted
        case .former: self = .former
        case .joiner: self = .joiner
        case .host: self = .host
        }
    }

    /// The most bytes that such a peer may send on one link; nil: any number.
    var bytesMax: Int? {
        switch self {
        case .restricted: Limits.restrictedLinkBytesMax
        case .asker, .asked: Self.askBytesMax
        case .member, .former, .joiner, .host: nil
        }
    }

    /// Five messages, and keep-alives of five minutes.
    private static let askBytesMax = 65_536

    func verdict(on message: LinkMessage) -> Verdict {
        switch message {
        case .ping, .pong, .bye: .passes
        case .bind, .joinRequest: .isRefused
        case .welcome, .joinRefusal: self == .host ? .passes : .isRefused
        case .control:
            switch self {
            case .member, .restricted, .host: .passes
            case .former: .isDropped
            case .joiner, .asker, .asked: .isRefused
            }
        case .controlIndex:
            switch self {
            case .member, .restricted: .passes
            case .former: .isDropped
            case .joiner, .host, .asker, .asked: .isRefused
            }
        case .ask: self == .asker || self == .asked ? .passes : .isRefused
        case .have, .run, .want, .served, .prune, .rows, .epochAsk, .epochKeys, .synced, .positions,
            .blob, .castAsks:
            switch self {
            case .member: .passes
            case .restricted, .former: .isDropped
            case .joiner, .host, .asker, .asked: .isRefused
            }
        }
    }
}
