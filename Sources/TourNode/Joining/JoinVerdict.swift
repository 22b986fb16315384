import TourCrypto
import TourGroup
import TourModel
import TourWire

/// What becomes of a request to join.
package enum JoinVerdict: Equatable, Sendable {
    /// It is admitted already: it gets the tour's events and keys.
    case welcome
    /// Its answer is this refusal.
    case refuse(JoinRefusal)
    /// It gets no answer, and asks again, here or at another member.
    case later
    /// It is to be admitted, and then judged by `JoiningFacts.outcome`.
    case admit
}

extension JoiningFacts {
    /// The answer to a request whose admission is stored. Meanwhile others may have used up the invite, or its author
    /// revoked it: only members get the keys.
    package func outcome(of request: JoinRequest, wallMilliseconds: Int64) -> JoinVerdict {
        if hasAdmitted(request) { return .welcome }
        return .refuse(refusal(of: request, wallMilliseconds: wallMilliseconds) ?? .usedUp)
    }

    func hasAdmitted(_ request: JoinRequest) -> Bool {
        guard let member = roster.members[MemberID(identity: request.identity)] else { return false }
        return member.linkKey == request.linkKey && member.isActive
    }

    func refusal(of request: JoinRequest, wallMilliseconds: Int64) -> JoinRefusal? {
        guard isActive else { return .closed }
        guard let invite = roster.invites[request.invite], invite.host == nil else { return .invalid }
        if invite.isRevoked { return .revoked }
        if invite.isUsedUp { return .usedUp }
        if !invite.isOpen(wallMilliseconds: wallMilliseconds) { return .expired }
        if !roster.hasPlace { return .full }
        return roster.isNew(MemberID(identity: request.identity)) ? nil : .invalid
    }
}
