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

/// One tour as its newcomers meet it.
package struct JoiningFacts: Sendable {
    /// Our id in the tour.
    package var own: MemberID
    /// Its members and invites.
    package var roster: Roster
    /// Whether it can be written to here.
    package var isActive: Bool

    package init(own: MemberID, roster: Roster, isActive: Bool) {
        self.own = own
        self.roster = roster
        self.isActive = isActive
    }
}

extension JoiningFacts {
    /// The answer to a request whose admission is stored. Meanwhile others may have used up the invite, or its author
    /// revoked it: only members get the keys.
    package func outcome(of request: JoinRequest, wallMilliseconds: Int64) -> JoinVerdict {
        if hasAdmitted(request) { return .welcome }
        return .refuse(refusal(of: request, wallMilliseconds: wallMilliseconds) ?? .usedUp)
    }

    /// Whether the device is in the tour already, under the same link key.
    package func hasAdmitted(_ request: JoinRequest) -> Bool {
        guard let member = roster.members[MemberID(identity: request.identity)] else { return false }
        return member.linkKey == request.linkKey && member.isActive
    }

    /// Why the device cannot join; nil: it can, if its code has a use left beside the admissions in progress.
    package func refusal(of request: JoinRequest, wallMilliseconds: Int64) -> JoinRefusal? {
        guard isActive else { return .closed }
        guard let invite = roster.invites[request.invite], invite.host == nil else { return .invalid }
        if invite.isRevoked { return .revoked }
        if invite.isUsedUp { return .usedUp }
        if !invite.isOpen(wallMilliseconds: wallMilliseconds) { return .expired }
        if !roster.hasPlace { return .full }
        return roster.isNew(MemberID(identity: request.identity)) ? nil : .invalid
    }
}
