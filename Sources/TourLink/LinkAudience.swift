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

    func verdict(on message: LinkMessage) -> Verdict {
        switch message {
        case .ping, .pong, .bye: .passes
        case .bind, .joinRequest: .isRefused
        case .welcome, .joinRefusal: self == .host ? .passes : .isRefused
        case .control:
            switch self {
            case .member, .restricted, .host: .passes
            case .former: .isDropped
            case .joiner: .isRefused
            }
        case .controlIndex:
            switch self {
            case .member, .restricted: .passes
            case .former: .isDropped
            case .joiner, .host: .isRefused
            }
        case .have, .run, .want, .served, .prune, .rows, .epochAsk, .epochKeys, .synced, .positions,
            .blob, .castAsks:
            switch self {
            case .member: .passes
            case .restricted, .former: .isDropped
            case .joiner, .host: .isRefused
            }
        }
    }
}
