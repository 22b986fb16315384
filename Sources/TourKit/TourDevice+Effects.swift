import TourCrypto
import TourGossip
import TourGroup
import TourLink
import TourModel
import TourRuntime
import TourWire

/// What surrounds the machine of one tour of a device.
struct DeviceEnvironment: TourEnvironment {
    let device: TourDevice
    let tour: HeldTour

    /// How long the queue of a link has to drain before it gets more.
    private static let owedPause: Duration = .milliseconds(100)

    var reading: ClockReading { device.reading }
    var applied: Instant { device.reading.now }

    var rng: SplitMix64 {
        get { device.rng }
        nonmutating set { device.rng = newValue }
    }

    func queuedBytes(on link: LinkID) -> Int { device.end(of: link)?.machine.queuedBytes ?? 0 }
    func send(_ message: LinkMessage, on link: LinkID) { device.send(message, on: link) }
    func carryOut(_ effect: TourEffect) { device.carryOut(effect, tour) }
    func goOn(sendingOwedOn link: LinkID) { tour.owedAt[link] = reading.now + Self.owedPause }
    // The app asks for the deadline.
    func wake(at deadline: Instant?) {}
}

// Carrying out the effects of a tour's machine. Checks are made at once: the app chooses the thread.
extension TourDevice {
    func carryOut(_ effect: TourEffect, _ tour: HeldTour) {
        let id = TourIdentifier(tour.tour)
        switch effect {
        case .close(let link, let reason): if let end = end(of: link) { close(end, saying: reason) }
        case .setReading(let link, let reads): if let end = end(of: link) { emit(.read(end.connection, reads)) }
        case .recognise(let link, let member): recognise(member, on: link, tour)
        case .verify(let check): feed(tour, .checked(check, check.verified()))
        case .verifyClaims(let check): feed(tour, .checkedClaims(check, check.verified()))
        case .verifyPositions(let check): feed(tour, .checkedPositions(check, check.verified()))
        case .compare(let question): compare(question, tour)
        case .store(let run): store(run, tour)
        case .storeAhead(let run): storeAhead(run, tour)
        case .reload: feed(tour, .reloaded(tour.shelf.stored))
        case .load(let link, let number, let range, let bytesMax):
            feed(tour, .replication(.loaded(link, id: number, tour.shelf.events(range, bytesMax: bytesMax))))
        case .loadUrgent(let link, let ranges):
            let newest = tour.shelf.urgent(ranges, limit: Limits.urgentBeforePullMax)
            if !newest.isEmpty { feed(tour, .replication(.urgent(link, newest))) }
        case .keepControls(let events, let dropped):
            emit(.keep(dropped.map { KeptTour.droppedControl($0, of: tour.tour) } + events.map(KeptTour.control)))
        case .loadActs(let authors): feed(tour, .controls(tour.shelf.controls(of: authors.sorted())))
        case .saveKeys: emit(.keep([tour.secrets]))
        case .saveOwnLog(let state):
            tour.own.log = state
            emit(.keep([KeptTour.own(tour.own, of: tour.tour)]))
            if state == .forked { emit(.notice(.copied(id))) }
        case .rekey: rekey(tour)
        case .publishWrappingKey: publishWrappingKey(tour)
        // It follows a removal of ours, and nobody is removed here.
        case .makeInvite: feed(tour, .madeInvite)
        case .writeFork(let proof, let author):
            do throws(TourRefusal) { try write(.fork(proof), in: tour) } catch { feed(tour, .forkNotWritten(author)) }
        case .rosterChanged: emit(.notice(.members(id)))
        case .keysLearnt:
            let readable = tour.machine.drainReadable()
            show(readable.compactMap { tour.shelf.event($0.author, $0.sequence) }, in: tour)
        case .refreshStatuses: refreshStatuses(tour)
        case .twin: emit(.notice(.copied(id)))
        // No datagrams, files or positions here; nothing is kept of rows, which neighbours bring again; and faults of
        // peers are theirs. The runner does the last two.
        case .multicast, .unicast, .livesElsewhere, .began, .claimed, .signed, .positioned, .recognised, .fault, .send,
            .sendOwed:
            break
        }
    }

    // MARK: - Storing

    private func store(_ run: VerifiedRun, _ tour: HeldTour) {
        let news = run.events.filter { $0.header.sequence > tour.shelf.end(of: run.author) }
        if !news.isEmpty {
            guard let records = tour.shelf.append(news) else { return feed(tour, .storeFailed(run, isAhead: false)) }
            emit(.keep(records))
        }
        feed(tour, .stored(run, events: news))
        show(news, in: tour)
    }

    private func storeAhead(_ run: VerifiedRun, _ tour: HeldTour) {
        let records = run.events.flatMap { tour.shelf.append(ahead: $0) }
        if !records.isEmpty { emit(.keep(records)) }
        feed(tour, .storedAhead(run))
        show(run.events, in: tour)
    }

    private func compare(_ question: ForkQuestion, _ tour: HeldTour) {
        let known: [Event] =
            switch question.known {
            case .events(let events): events
            case .stored(let places):
                tour.shelf.events(
                    Want.Range(author: question.author, first: places.lowerBound, last: places.upperBound),
                    bytesMax: Limits.pullBytesMax)
            }
        if let proof = question.proof(from: known) { feed(tour, .forkFound(proof, of: question.author)) }
    }

    private func refreshStatuses(_ tour: HeldTour) {
        let changes = tour.machine.refreshStatuses { author, above, clock in
            tour.shelf.logs[author]?.dropFirst(Int(clamping: above)).first { $0.header.clock >= clock }?.header.sequence
        }
        guard !changes.isEmpty else { return }
        emit(.keep(changes.map { KeptTour.mark($0.mark, of: tour.tour) }))
        emit(.notice(.statuses(TourIdentifier(tour.tour))))
    }

    // MARK: - Acts of our own

    /// Makes a new epoch.
    /// - Returns: whether it is written.
    @discardableResult
    func rekey(_ tour: HeldTour) -> Bool {
        guard let rekey = try? tour.machine.rekeyBody(key: EpochKey.randomKey(), at: reading),
            (try? write(rekey.body, in: tour, governs: rekey.isRemoval)) != nil
        else {
            feed(tour, .rekeyed(isWritten: false))
            return false
        }
        feed(tour, .rekeyed(isWritten: true))
        // Names are for the new epoch, which the machine has once it has heard of the write.
        tour.runner.perform(in: DeviceEnvironment(device: self, tour: tour)) { self.repeatNames(in: tour) }
        return true
    }

    private func publishWrappingKey(_ tour: HeldTour) {
        let key = tour.machine.prepareWrappingKey(at: reading) { WrappingKeyPair() }
        // The private half is kept before anybody can wrap to the public one.
        emit(.keep([tour.secrets]))
        if (try? write(.wrappingKey(key), in: tour)) != nil { repeatNames(in: tour) }
        feed(tour, .publishedKey)
    }
}
