import TourModel

/// Decides which services are resolved, and which of these are reported: bounded whatever the network sends.
///
/// At most `Limits.candidatesMax` services have a place, that is a resolver, open or resting. Others wait; while any
/// wait, places rotate. Of one address at most `CandidateTable.perAddressMax` services are reported, and these rotate
/// too.
package struct CandidateTable: Sendable {
    /// The most services that wait for one of the `Limits.candidatesMax` places: as many as Avahi's own cache holds.
    package static let waitingMax = 4_096
    /// How long a service keeps its place while others wait: a local answer takes well under this.
    private static let turn: Duration = .milliseconds(500)
    /// How long a found candidate stays reported for its address while others of that address wait.
    private static let addressTurn: Duration = .seconds(10)
    /// The found candidates that services not yet resolved cannot displace.
    private static let keptMin = 256
    /// The most candidates found at one address.
    package static let perAddressMax = 16
    /// The waiting services never tried before that get a turn in a crowded tick. Each costs queries on the network,
    /// and calls that take Avahi a millisecond or more when it is flooded.
    package static let freshTurnsPerTick = 64
    /// The same for services that had a turn before.
    private static let repeatedTurnsPerTick = 8
    /// How often turns change while crowded.
    package static let crowdedTick: Duration = .milliseconds(250)

    /// An action for the session.
    package enum Output: Sendable, Equatable {
        /// Open a resolver.
        case resolve(ServiceKey)
        /// Close the resolver.
        case release(ServiceKey)
        /// Report a service, or its new address.
        case found(ServiceKey, Candidate)
        /// Report that a service is gone.
        case lost(ServiceKey)
    }

    private enum Standing {
        case unresolved
        case withheld(Candidate)
        case found(Candidate)
    }

    private struct Place {
        var standing: Standing
        /// When it got the place, or was first reported or withheld.
        var since: Instant
    }

    private var places: [ServiceKey: Place] = [:]
    private var fresh = KeyQueue()
    private var repeated = KeyQueue()
    private var foundOfAddress: [String: Int] = [:]
    private var foundCount = 0
    private var withheldCount = 0

    package init() {}

    /// The number of services with a resolver, open or resting.
    package var placesCount: Int { places.count }
    /// The number of services that wait for a place.
    package var waitingCount: Int { fresh.count + repeated.count }
    /// Whether `tick` has work to do.
    package var isCrowded: Bool { waitingCount > 0 || withheldCount > 0 }

    /// The services on an interface that have a place.
    package func keys(on interface: Int32) -> Set<ServiceKey> { Set(places.keys.filter { $0.interface == interface }) }

    /// Handles a service that Avahi found.
    package mutating func browsed(_ key: ServiceKey, now: Instant, into outputs: inout [Output]) {
        guard places[key] == nil, !fresh.contains(key), !repeated.contains(key) else { return }
        if places.count < Limits.candidatesMax {
            place(key, now: now, into: &outputs)
        } else {
            fresh.append(key)
            // A service that had a turn is dropped before one that had none, an older before a newer.
            if waitingCount > Self.waitingMax, repeated.popFirst() == nil { _ = fresh.popFirst() }
        }
    }

    /// Handles a service that Avahi reports as gone.
    package mutating func removed(_ key: ServiceKey, now: Instant, into outputs: inout [Output]) {
        fresh.remove(key)
        repeated.remove(key)
        vacate(key, now: now, into: &outputs)
    }

    /// Handles a resolver's answer; nil when there is none (yet) or it is useless. The place stays either way: an
    /// answer may arrive, or change.
    package mutating func resolved(
        _ key: ServiceKey, _ candidate: Candidate?, now: Instant, into outputs: inout [Output]
    ) {
        guard let place = places[key] else { return }
        if case .found(let old) = place.standing, let candidate, old.address == candidate.address {
            guard old != candidate else { return }
            places[key]?.standing = .found(candidate)
            outputs.append(.found(key, candidate))
            return
        }
        let wasFound = unreport(key, now: now)
        var isFound = false
        if let candidate {
            isFound = report(key, candidate, now: now, into: &outputs)
        }
        if let address = wasFound {
            if !isFound { outputs.append(.lost(key)) }
            promote(address, now: now, into: &outputs)
        }
    }

    /// Gives waiting services their turn; call it every `CandidateTable.crowdedTick` while `isCrowded`.
    package mutating func tick(now: Instant, into outputs: inout [Output]) {
        var budget = min(Self.freshTurnsPerTick, fresh.count) + min(Self.repeatedTurnsPerTick, repeated.count)
        let free = Limits.candidatesMax - places.count
        if budget > free {
            let leaving = Set(victims(budget - max(free, 0), now: now))
            budget = max(free, 0) + leaving.count
            for key in leaving {
                vacate(key, now: now, into: &outputs)
            }
            admit(budget, now: now, into: &outputs)
            for key in leaving {
                repeated.append(key)
            }
            while waitingCount > Self.waitingMax, repeated.popFirst() != nil {}
        } else {
            admit(budget, now: now, into: &outputs)
        }
        rotateWithheld(now: now, into: &outputs)
    }

    /// Removes everything: Avahi itself is gone, and every resolver with it.
    package mutating func clear(into outputs: inout [Output]) {
        for (key, place) in places {
            if case .found = place.standing { outputs.append(.lost(key)) }
        }
        self = CandidateTable()
    }

    /// Removes the services of one interface, reported or not: its browser was closed.
    package mutating func clear(interface: Int32, now: Instant, into outputs: inout [Output]) {
        var gone = places.keys.filter { $0.interface == interface }
        for key in fresh.keys + repeated.keys where key.interface == interface {
            gone.append(key)
        }
        for key in gone {
            fresh.remove(key)
            repeated.remove(key)
        }
        for key in gone {
            vacate(key, now: now, into: &outputs)
        }
    }
}

extension CandidateTable {
    private mutating func place(_ key: ServiceKey, now: Instant, into outputs: inout [Output]) {
        places[key] = Place(standing: .unresolved, since: now)
        outputs.append(.resolve(key))
    }

    private mutating func admit(_ budget: Int, now: Instant, into outputs: inout [Output]) {
        for turn in 0..<budget {
            // From both ends: the oldest so that none waits for ever, the newest so that a service that appears after a
            // flood does not wait behind it.
            let untried = turn.isMultiple(of: 2) ? fresh.popLast() : fresh.popFirst()
            guard let key = untried ?? repeated.popFirst() else { return }
            place(key, now: now, into: &outputs)
        }
    }

    private mutating func vacate(_ key: ServiceKey, now: Instant, into outputs: inout [Output]) {
        guard places[key] != nil else { return }
        let address = unreport(key, now: now)
        places[key] = nil
        outputs.append(.release(key))
        if let address {
            outputs.append(.lost(key))
            promote(address, now: now, into: &outputs)
        }
    }

    /// - Returns: whether it is reported for its address.
    private mutating func report(
        _ key: ServiceKey, _ candidate: Candidate, now: Instant, into outputs: inout [Output]
    ) -> Bool {
        guard foundOfAddress[candidate.address, default: 0] < Self.perAddressMax else {
            places[key] = Place(standing: .withheld(candidate), since: now)
            withheldCount += 1
            return false
        }
        places[key] = Place(standing: .found(candidate), since: now)
        foundOfAddress[candidate.address, default: 0] += 1
        foundCount += 1
        outputs.append(.found(key, candidate))
        return true
    }

    /// Makes a service unresolved again, without an output.
    /// - Returns: its address if it was reported.
    private mutating func unreport(_ key: ServiceKey, now: Instant) -> String? {
        guard let place = places[key] else { return nil }
        switch place.standing {
        case .unresolved: return nil
        case .withheld:
            withheldCount -= 1
            places[key] = Place(standing: .unresolved, since: now)
            return nil
        case .found(let candidate):
            foundCount -= 1
            let left = foundOfAddress[candidate.address, default: 1] - 1
            foundOfAddress[candidate.address] = left > 0 ? left : nil
            places[key] = Place(standing: .unresolved, since: now)
            return candidate.address
        }
    }

    /// Reports the service withheld longest, of an address that has room again.
    private mutating func promote(_ address: String, now: Instant, into outputs: inout [Output]) {
        guard withheldCount > 0 else { return }
        var longest: (key: ServiceKey, candidate: Candidate, since: Instant)?
        for (key, place) in places {
            guard case .withheld(let candidate) = place.standing, candidate.address == address else { continue }
            if let best = longest, best.since <= place.since { continue }
            longest = (key, candidate, place.since)
        }
        guard let longest else { return }
        withheldCount -= 1
        _ = report(longest.key, longest.candidate, now: now, into: &outputs)
    }

    /// The services whose turn is over, unreported before reported, older before newer.
    private func victims(_ wanted: Int, now: Instant) -> [ServiceKey] {
        var unreported: [(key: ServiceKey, since: Instant)] = []
        var reported: [(key: ServiceKey, since: Instant)] = []
        for (key, place) in places where now - place.since >= Self.turn {
            if case .found = place.standing {
                reported.append((key, place.since))
            } else {
                unreported.append((key, place.since))
            }
        }
        unreported.sort { $0.since < $1.since }
        reported.sort { $0.since < $1.since }
        let spare = max(0, foundCount - Self.keptMin)
        return (unreported + reported.prefix(spare)).prefix(wanted).map(\.key)
    }

    /// Replaces the oldest reported service of an address by the one withheld longest, once its turn is over.
    private mutating func rotateWithheld(now: Instant, into outputs: inout [Output]) {
        guard withheldCount > 0 else { return }
        var oldest: [String: (key: ServiceKey, candidate: Candidate, since: Instant)] = [:]
        var crowded = Set<String>()
        for (key, place) in places {
            switch place.standing {
            case .unresolved: continue
            case .withheld(let candidate): crowded.insert(candidate.address)
            case .found(let candidate):
                if let best = oldest[candidate.address], best.since <= place.since { continue }
                oldest[candidate.address] = (key, candidate, place.since)
            }
        }
        for address in crowded {
            guard let old = oldest[address], now - old.since >= Self.addressTurn else { continue }
            _ = unreport(old.key, now: now)
            outputs.append(.lost(old.key))
            promote(address, now: now, into: &outputs)
            _ = report(old.key, old.candidate, now: now, into: &outputs)
        }
    }
}
