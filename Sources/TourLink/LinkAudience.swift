import TourWire

/// What the peer of an open link may say. Source: `Protocol/04-framing.md`, "Messages".
enum LinkAudience: Sendable {
    case member
    /// A member, it says, whose key our roster lacks.
    case restricted
    /// A member that is out: it is told so, and nothing that it says counts.
    case former
    /// Holds an invite code; has said its one request.
    case joiner
    /// Answers our own join request.
    case host

    enum Verdict: Sendable {
        case passes
        /// Not for now, and no fault: a peer that does know us may already say more than we can take.
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
