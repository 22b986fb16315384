import TourCrypto
import TourGossip
import TourGroup
import TourLink
import TourModel
import TourWire

// Links: from the handshake's end to the close, and control events ahead of the logs: comparing them, applying them and
// passing them on. Source: `Protocol/06-replication.md`, "Control first".
extension TourMachine {
    // MARK: - Links

    func open(_ link: LinkID, _ peer: LinkPeer, hasPath: Bool, _ step: inout TourStep) {
        let opened = OpenLink(peer, hasPath: hasPath)
        guard let member = opened.member else { return }
        links[link] = opened
        if backlog.isHoldingBack { step.emit(.setReading(link, false)) }
        // We remember nothing about peers that the roster does not name.
        if opened.isMember { presence.record(member, at: step.time) }
        presence.recordLink(to: member)
        compareControls(on: link, &step)
        if opened.isMember { begin(link, with: member, &step) }
        askForEpochs(&step)
    }

    private func begin(_ link: LinkID, with member: MemberID, _ step: inout TourStep) {
        inbox.append(.linkUp(link, member))
        if links[link]?.hasPath == true { inbox.append(.path(link, isOffered: true)) }
        step.emit(.began(link))
    }

    func close(_ link: LinkID) {
        guard links.close(link) else { return }
        schedule.forget(link)
        inbox.append(.linkDown(link))
    }

    func closeAll(saying reason: ByeReason = .closing, _ step: inout TourStep) {
        for link in links.ids { step.emit(.close(link, reason)) }
    }

    /// The open link to a member, or to one that the roster does not name yet.
    package func link(to member: MemberID) -> LinkID? {
        links.link(to: member)
    }

    /// Whether the roster names the peer of this link, so that every message passes.
    package func isMember(on link: LinkID) -> Bool { links[link]?.isMember == true }

    func receive(_ message: LinkMessage, on link: LinkID, _ step: inout TourStep) {
        guard let state = links[link] else { return }
        if state.isMember, let member = state.member { presence.record(member, at: step.time) }
        switch message {
        case .controlIndex(let index):
            // A peer that considers us out sends the events that say so, and no index.
            links.recordRecognised()
            step.emit(.recognised)
            answer(index, on: link, &step)
        case .control(let events):
            intake.add(events, from: link)
            if intake.isFull(of: link) { step.emit(.setReading(link, false)) }
            applyWaiting(&step)
        case .epochAsk(let epochs): answer(epochs, on: link, &step)
        case .epochKeys(let secrets): receive(secrets, on: link, &step)
        // The shell handles these.
        case .synced, .blob, .castAsks, .bye: break
        default: inbox.append(.message(link, message))
        }
    }

    // MARK: - Control events

    /// Sends the peer an index of our control events, at most once a second: it sends those that we lack. From a peer
    /// that may not learn of them we request all that it has.
    func compareControls(on link: LinkID, _ step: inout TourStep) {
        guard links[link]?.mayCompare(now: step.now) == true, let state = links[link] else { return }
        step.emit(.send(link, .controlIndex(state.maySendControls(in: group) ? group.controlIndex : [])))
    }

    private func answer(_ index: [EventName], on link: LinkID, _ step: inout TourStep) {
        guard let state = links[link] else { return }
        guard state.maySendControls(in: group) else { return links[link]?.holdBack(index) ?? () }
        guard links[link]?.answersIndex(now: step.now) == true else { return }
        let missing = group.controls(missingFrom: index, keepingLeaveOf: hasLeft ? own : nil)
        owe(ControlBatches.cut(missing).map { .control($0) }, on: link, &step)
    }

    private func owe(_ messages: [LinkMessage], on link: LinkID, _ step: inout TourStep) {
        guard !messages.isEmpty, links[link]?.owe(messages) == true else { return }
        step.emit(.sendOwed(link))
    }

    /// The next message that a link is owed, while its queue holds less than a share of its limit.
    /// - Parameter queuedBytes: what the link has queued now.
    package func nextOwed(on link: LinkID, queuedBytes: Int) -> LinkMessage? {
        let group = group
        return links[link]?.nextOwed(queuedBytes: queuedBytes) { group.control($0) }
    }

    /// Whether the link is owed more messages.
    package func owesMore(on link: LinkID) -> Bool { links[link].map { !$0.owed.isEmpty } ?? false }

    // MARK: - Applying

    /// Applies what waits, or lets it wait for its turn.
    func applyWaiting(_ step: inout TourStep) {
        guard !intake.isScheduled else { return }
        guard intake.pause(at: step.now) > .zero else { return applyTurn(&step) }
        intake.isScheduled = true
    }

    func applyTurn(_ step: inout TourStep) {
        intake.isScheduled = false
        apply(intake.dequeueTurn(), &step)
    }

    /// Applies everything that waits, now.
    func applyAll(_ step: inout TourStep) { apply(intake.drain(), &step) }

    private func apply(_ batch: ControlIntake.Batch, _ step: inout TourStep) {
        defer { intake.isScheduled = !intake.isEmpty }
        for source in batch.sources.sorted() where !backlog.isHoldingBack && !intake.isFull(of: source) {
            step.emit(.setReading(source, true))
        }
        let added = group.add(verified: batch.verified, controls: batch.controls)
        let dropped = group.drainDropped()
        // Acts of authors whose rank was unknown here when the acts arrived, and that were not kept.
        let authors = group.drainMissingActs()
        if !authors.isEmpty { step.emit(.loadActs(of: authors)) }
        guard !added.isEmpty || !dropped.isEmpty else { return }
        let logged = Set(batch.verified.map(\.id))
        let news = added.filter { !logged.contains($0.id) }
        step.emit(.keepControls(news, dropped: dropped))
        controlsAdded(added, &step)
        if isMember { ask(forks.questions(onControls: news, own: own, in: group, gossip.stored), &step) }
        // News of the roster goes ahead of the logs, so that others can accept what the new members write.
        for link in links.ids where links[link]?.maySendControls(in: group) == true {
            let sent = batch.events(sentBy: link)
            let owed = news.filter { !sent.contains($0.bytes) }.map(\.id)
            guard !owed.isEmpty, links[link]?.owe(news: owed) == true else { continue }
            step.emit(.sendOwed(link))
        }
    }

    /// New control events are applied: the roster may have grown or shrunk.
    func controlsAdded(_ events: [Event], _ step: inout TourStep) {
        receipts.recordMembers(group.roster)
        receipts.recordChange(now: step.now)
        feedRoster()
        let roster = group.roster
        for link in links.ids {
            guard let state = links[link], let member = state.member else { continue }
            switch roster.standing(of: member, on: state.peer.linkKey, isRestricted: state.isRestricted) {
            case .stays: break
            case .goes(let reason):
                // The control events themselves tell a removed member why it is out.
                for batch in ControlBatches.cut(group.ending(of: member)) { step.emit(.send(link, .control(batch))) }
                step.emit(.close(link, reason))
            case .begins:
                links[link]?.recognise(member)
                step.emit(.recognise(link, member))
                if let index = links[link]?.drainHeldBack() { answer(index, on: link, &step) }
                begin(link, with: member, &step)
            }
        }
        followEpochs(isOwnAct: events.contains { $0.header.author == own }, &step)
        // Once we learn that we are out, we close our links and open none.
        if let member = roster.members[own], member.isRemoved || member.isForked { closeAll(&step) }
        step.emit(.rosterChanged(events))
    }

    /// Updates the replication's roster, and the length of our own log as far as we signed it.
    func feedRoster() {
        let roster = group.roster
        inbox.append(
            .authors(
                roster.members.keys.sorted(), leaders: roster.leaders, ends: roster.ends,
                ownThrough: max(group.shownTail(of: own), use.ownThroughAtServer),
                people: Set(roster.linking.map(\.id))))
    }

    // MARK: - Forks

    /// Checks a sound run of a log that seems to fork.
    func compare(_ run: VerifiedRun, _ step: inout TourStep) {
        guard isMember else { return }
        let places = run.first...run.last
        let question = forks.question(on: run.events, beside: .stored(places), own: own, in: group)
        ask(question.map { [$0] } ?? [], &step)
    }

    func ask(_ questions: [ForkQuestion], _ step: inout TourStep) {
        for question in questions { step.emit(.compare(question)) }
    }
}
