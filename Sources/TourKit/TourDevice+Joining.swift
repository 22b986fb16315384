import TourCrypto
import TourGroup
import TourLink
import TourModel
import TourRuntime
import TourWire

// Joining a tour, and letting others into one. Source: `Protocol/07-joining.md`.
extension TourDevice {
    /// The user gives up joining by this code. A later attempt has other keys, so if a member let this device in
    /// meanwhile, the code was used in vain.
    public func cancelJoining(_ code: JoinCode, at moment: Moment) {
        reading = moment.reading
        if let attempt = attempts[code.code] { finish(attempt) }
    }

    // MARK: - Our own request

    /// A member's answer to our request: the control events, then the keys; or a refusal.
    func received(_ message: LinkMessage, on end: LinkEnd, for attempt: JoinAttempt) {
        guard attempts[attempt.code] === attempt else { return close(end, saying: .closing) }
        let code = JoinCode(attempt.code)
        switch message {
        case .control(let events):
            end.controlBytes += events.reduce(0) { $0 + $1.count }
            guard end.controlBytes <= Limits.joinControlBytesMax else { return close(end, saying: .closing) }
            end.controls += events
        case .welcome(let epochs):
            guard let peer = end.peer else { return }
            close(end, saying: .closing)
            guard
                let group = TourGroup(
                    welcoming: attempt.keys.memberID, by: peer, end.controls, epochs),
                tours[group.tour]?.machine.isMember != true,
                let tour = try? enter(
                    group, attempt.keys,
                    origin: (attempt.ticket.secret.invitePair.publicKey, attempt.ticket.secret.joinSecret))
            else { return emit(.notice(.refused(code, .falseTour))) }
            finish(attempt)
            try? announceName(in: tour)
            emit(.notice(.joined(TourIdentifier(tour.tour), code)))
        case .joinRefusal(let refusal):
            close(end, saying: .closing)
            // Other members give the same answer, unless their clocks differ: only `expired` does not end the search.
            if refusal != .expired { finish(attempt) }
            emit(.notice(.refused(code, JoinRefused(refusal))))
        case .bye: close(end, saying: .closing)
        default: break
        }
    }

    /// Ends an attempt with its connections.
    private func finish(_ attempt: JoinAttempt) {
        attempts[attempt.code] = nil
        for end in Array(ends.values) {
            if case .join(let other) = end.purpose, other === attempt { close(end, saying: .closing) }
        }
    }

    // MARK: - Requests of others

    /// A holder of a code asks to join, with checked signatures.
    func answer(_ request: JoinRequest, on end: LinkEnd, of id: TourID) {
        guard let tour = tours[id] else { return close(end, saying: .closing) }
        let verdict = judge(request, from: end.address, tour)
        switch verdict {
        case .welcome:
            let newcomer = MemberID(identity: request.identity)
            for batch in ControlBatches.cut(tour.machine.group.welcome) { end.machine.enqueue(.control(batch)) }
            let keys = tour.machine.group.epochKeys(for: newcomer).prefix(Limits.epochKeysMax)
            end.machine.enqueue(.welcome(keys.compactMap { EpochSecret($0) }))
        case .refuse(let refusal):
            end.machine.enqueue(.joinRefusal(refusal))
            close(end, saying: .closing)
        // It asks again, here or at another member.
        case .later, .admit: close(end, saying: .closing)
        }
    }

    private func judge(_ request: JoinRequest, from address: String, _ tour: HeldTour) -> JoinVerdict {
        if facts(of: tour).hasAdmitted(request) { return .welcome }
        if let refusal = facts(of: tour).refusal(of: request, wallMilliseconds: reading.wallMilliseconds) {
            return .refuse(refusal)
        }
        guard tour.machine.group.roster.hasRoom(for: tour.machine.own),
            admissions.acquire(for: request.invite, from: address, now: reading.now),
            (try? write(.admit(request), in: tour)) != nil
        else { return .later }
        let verdict = facts(of: tour).outcome(of: request, wallMilliseconds: reading.wallMilliseconds)
        guard verdict == .welcome else { return verdict }
        switch tour.machine.beginEpoch(for: MemberID(identity: request.identity), at: reading) {
        case .none: return .welcome
        case .later: return .later
        // Our own wrap gives us the key with the event.
        case .begins:
            rekey(tour)
            return .welcome
        }
    }

    private func facts(of tour: HeldTour) -> JoiningFacts {
        JoiningFacts(own: tour.machine.own, roster: tour.machine.group.roster, isActive: tour.machine.isActive)
    }
}

extension JoinRefused {
    init(_ refusal: JoinRefusal) {
        self =
            switch refusal {
            case .revoked: .revoked
            case .expired: .expired
            case .usedUp: .usedUp
            case .closed: .closed
            case .full: .full
            case .invalid: .invalid
            }
    }
}
