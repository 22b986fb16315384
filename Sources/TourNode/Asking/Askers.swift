import TourCrypto
import TourLink
import TourModel
import TourWire

/// Those who ask this node's user to be let into a tour, and the codes that the user reads aloud.
/// Source: `Protocol/14-asking.md`; drawn in `Protocol/StateMachines/ask-member.dot`.
///
/// Used on the node's loop alone.
package final class Askers {
    /// Somebody whom the user sees.
    package struct Shown: Sendable {
        /// Names the asker on this node.
        package let id: UInt64
        /// What it wants to be called.
        package let name: String
        /// The words on its screen, if nobody is between it and us.
        package let words: ComparedWords
        /// How its screen calls the tour.
        package let label: String
        /// Whole seconds until it is told that nobody answered.
        package let secondsLeft: Int
    }

    private struct Asker {
        let tour: TourID
        let tag: DiscoveryTag
        let connection: ObjectIdentifier
        let address: String
        let openedAt: Instant
        var exchange: MemberExchange
        var way = Way.unknown
        /// Its admission is being written.
        var isBeingAdmitted = false

        /// Whether it has a place among those who commit to words.
        var isByWords: Bool {
            switch way {
            case .words, .shown: true
            case .unknown, .digits, .knows, .answered: false
            }
        }
    }

    private enum Way {
        case unknown
        /// It has committed to words.
        case words
        case shown(name: String, ComparedWords)
        /// It tries the spoken code.
        case digits
        /// It knew the digits, and waits for its code.
        case knows
        /// It is let in, or refused: what is left is to close the link.
        case answered
    }

    private var askers: [UInt64: Asker] = [:]
    /// Begins anywhere: a number that somebody noted before a restart is not another asker's.
    private var nextID = UInt64.random(in: 1...UInt64(UInt32.max))
    private var rate = AskLimits.commitments
    private var codes: [TourID: SpokenCode] = [:]

    package init() {}

    // MARK: Links

    /// The handshake of an ask link is complete.
    package func opened(
        _ connection: ObjectIdentifier, _ link: AskLink, from address: String, _ host: some AskingHost
    ) {
        guard let tour = link.tour, askers.count < AskLimits.linksMax,
            askers.values.count(where: { $0.address == address }) < AskLimits.linksPerAddressMax
        else { return host.close(connection) }
        askers[nextID] = Asker(
            tour: tour, tag: link.tag, connection: connection, address: address, openedAt: host.now,
            exchange: MemberExchange(link))
        nextID += 1
    }

    /// A message of an asker.
    package func receive(_ message: AskMessage, on connection: ObjectIdentifier, _ host: some AskingHost) {
        guard let id = id(of: connection), var asker = askers[id] else { return host.close(connection) }
        if case .answered = asker.way { return }
        if case .commit = message, case .unknown = asker.way {
            if let refusal = refusal(of: asker, host) { return refuse(id, refusal, host) }
            asker.way = .words
        }
        var outputs = [MemberExchange.Output]()
        do { try asker.exchange.receive(message, into: &outputs) } catch {
            askers[id] = asker
            host.count(error)
            return host.close(connection)
        }
        askers[id] = asker
        for output in outputs { carryOut(output, id, host) }
    }

    /// A connection has closed; it may have been an asker's.
    package func closed(_ connection: ObjectIdentifier) {
        guard let id = id(of: connection), let asker = askers.removeValue(forKey: id) else { return }
        if case .digits = asker.way { codes[asker.tour]?.endTrial(isGood: false) }
    }

    /// Once a second: ends what nobody answered.
    package func tick(_ host: some AskingHost) {
        for tour in Set(askers.values.map(\.tour)).union(codes.keys) where !host.mayInvite(to: tour) {
            stop(tour, host)
        }
        for (id, asker) in askers {
            let isShown = if case .shown = asker.way { true } else { false }
            guard host.now - asker.openedAt > (isShown ? AskLimits.lifetime : AskLimits.exchangeTime) else { continue }
            guard isShown, !asker.isBeingAdmitted else {
                if !isShown { host.close(asker.connection) }
                continue
            }
            refuse(id, .expired, host)
        }
        for (tour, code) in codes where code.isOver(now: host.now) && !code.isBeingTried { codes[tour] = nil }
    }

    /// Ends every exchange in a tour: it no longer answers askers.
    package func stop(_ tour: TourID, _ host: some AskingHost) {
        codes[tour] = nil
        for (id, asker) in askers where asker.tour == tour { refuse(id, .closed, host) }
    }

    private func id(of connection: ObjectIdentifier) -> UInt64? {
        askers.first { $0.value.connection == connection }?.key
    }

    /// Why an asker gets no nonce.
    private func refusal(of asker: Asker, _ host: some AskingHost) -> AskRefusal? {
        guard host.mayInvite(to: asker.tour) else { return .closed }
        let others = askers.values.filter { $0.isByWords }
        guard others.count < AskLimits.openMax,
            others.count(where: { $0.address == asker.address }) < AskLimits.openPerAddressMax,
            rate.acquire(asker.address, now: host.now)
        else { return .busy }
        return nil
    }

    private func carryOut(_ output: MemberExchange.Output, _ id: UInt64, _ host: some AskingHost) {
        guard let asker = askers[id] else { return }
        switch output {
        case .send(let message): host.send(message, on: asker.connection)
        case .asks(let name, let words):
            let tidy = DisplayName.tidy(name)
            guard DisplayName.isAllowed(tidy) else { return host.close(asker.connection) }
            askers[id]?.way = .shown(name: tidy, words)
        case .triesDigits: beginTrial(id, asker, host)
        case .knowsDigits:
            askers[id]?.way = .knows
            codes[asker.tour]?.endTrial(isGood: true)
            guard host.mayInvite(to: asker.tour) else { return refuse(id, .closed, host) }
            askers[id]?.isBeingAdmitted = true
            host.writeCode(for: id, to: asker.tour)
        case .missedDigits:
            askers[id]?.way = .answered
            codes[asker.tour]?.endTrial(isGood: false)
            refuse(id, .wrongCode, host)
        }
    }

    private func beginTrial(_ id: UInt64, _ asker: Asker, _ host: some AskingHost) {
        if let refusal = codes[asker.tour]?.beginTrial(now: host.now) {
            return refuse(id, refusal, host)
        }
        guard let digits = codes[asker.tour]?.digits else { return refuse(id, .noCode, host) }
        askers[id]?.way = .digits
        var outputs = [MemberExchange.Output]()
        do { try askers[id]?.exchange.begin(digits, into: &outputs) } catch {
            host.count(error)
            return host.close(asker.connection)
        }
        for output in outputs { carryOut(output, id, host) }
    }

    private func refuse(_ id: UInt64, _ refusal: AskRefusal, _ host: some AskingHost) {
        answer(id, .refused(refusal), host)
    }

    private func admit(_ id: UInt64, _ code: InviteCode, _ host: some AskingHost) {
        guard let tour = askers[id]?.tour else { return }
        answer(id, .admitted(code: code.bytes, tourName: host.name(of: tour)), host)
    }

    private func answer(_ id: UInt64, _ message: AskMessage, _ host: some AskingHost) {
        guard let asker = askers[id] else { return }
        askers[id]?.way = .answered
        host.send(message, on: asker.connection)
        host.close(asker.connection)
    }

    // MARK: The user's part

    /// Those whom the user of this node sees in a tour, the first who asked first.
    package func shown(in tour: TourID, now: Instant) -> [Shown] {
        askers.sorted { $0.key < $1.key }.compactMap { id, asker in
            guard asker.tour == tour, case .shown(let name, let words) = asker.way, !asker.isBeingAdmitted else {
                return nil
            }
            let left = AskLimits.lifetime - (now - asker.openedAt)
            return Shown(
                id: id, name: name, words: words, label: ComparedWords.label(of: asker.tag),
                secondsLeft: max(0, Int(left.microseconds / 1_000_000)))
        }
    }

    /// The user lets an asker in: its code is being written, `endAdmission` follows.
    /// - Returns: false when nobody of this id asks any more.
    package func beginAdmission(of id: UInt64, to tour: TourID) -> Bool {
        guard let asker = askers[id], asker.tour == tour, case .shown = asker.way, !asker.isBeingAdmitted else {
            return false
        }
        askers[id]?.isBeingAdmitted = true
        return true
    }

    /// - Parameter code: nil when it could not be written; the asker is shown again.
    /// - Returns: whether the asker was there to get it.
    @discardableResult
    package func endAdmission(of id: UInt64, _ code: InviteCode?, _ host: some AskingHost) -> Bool {
        guard let asker = askers[id], asker.isBeingAdmitted else { return false }
        askers[id]?.isBeingAdmitted = false
        if let code {
            admit(id, code, host)
        } else if case .knows = asker.way {
            refuse(id, .closed, host)
        }
        return code != nil
    }

    /// The user lets an asker not in.
    /// - Returns: false when nobody of this id asks any more.
    package func refuse(_ id: UInt64, in tour: TourID, _ host: some AskingHost) -> Bool {
        guard let asker = askers[id], asker.tour == tour, case .shown = asker.way, !asker.isBeingAdmitted else {
            return false
        }
        refuse(id, .refused, host)
        return true
    }

    /// The code that the user reads aloud.
    package func spokenCode(of tour: TourID) -> SpokenCode? { codes[tour] }

    /// The user reads a new code aloud, or none any more.
    package func setSpokenCode(_ code: SpokenCode?, of tour: TourID, _ host: some AskingHost) {
        codes[tour] = nil
        for (id, asker) in askers where asker.tour == tour {
            if case .digits = asker.way { refuse(id, .noCode, host) }
        }
        codes[tour] = code
    }
}
