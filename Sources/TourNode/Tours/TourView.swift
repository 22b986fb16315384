import TourAPI
import TourCrypto
import TourGroup
import TourModel
import TourRuntime
import TourStore
import TourWire

/// A tour as it stood at one moment: everything that is needed to show its messages, away from the event loop. A
/// class, since it is large and passed along with each message.
package final class TourView: Sendable {
    let store: TourStore
    let group: TourGroup
    let names: NameState
    let withdrawals: Set<Withdrawal>
    let receipts: ReceiptState
    let asides: AsideState
    let quiet: QuietState
    let own: MemberID
    /// Our ids in this tour before we joined it again.
    let formerIDs: Set<MemberID>
    /// How far a server is known to have each log.
    let synced: [MemberID: UInt64]
    /// The progress of files, by their messages.
    let files: [EventID: FileProgress]
    let sharedVersions = SharedVersions()

    init(
        store: TourStore, group: TourGroup, names: NameState, withdrawals: Set<Withdrawal>, receipts: ReceiptState,
        asides: AsideState, quiet: QuietState, own: MemberID, formerIDs: Set<MemberID>, synced: [MemberID: UInt64],
        files: [EventID: FileProgress]
    ) {
        self.store = store
        self.group = group
        self.names = names
        self.withdrawals = withdrawals
        self.receipts = receipts
        self.asides = asides
        self.quiet = quiet
        self.own = own
        self.formerIDs = formerIDs
        self.synced = synced
        self.files = files
    }

    package var tour: TourID { group.tour }

    /// Which of a tour's messages to list.
    package struct Selection: Sendable {
        /// Only messages after this one, in the tour's order.
        package var since: String?
        /// Only this many, the last ones.
        package var limit: Int?
        /// Only messages that contain all these words, regardless of case.
        package var words: [String] = []
        /// Only events of these; nil: of all.
        package var classes: Set<EventClass>?

        package init(since: String? = nil, limit: Int? = nil, words: [String] = []) {
            self.since = since
            self.limit = limit
            self.words = words
        }
    }

    /// All events to show. Our own are shown to us even where they do not count.
    var listed: MessageQuery {
        let ends = group.roster.ends.filter { !isOwn($0.key) }
        // Of a member with a device of its own the missing keys hide what was before it.
        return isGuests ? MessageQuery(afterPosition: .end(of: historyEnd), ends: ends) : MessageQuery(ends: ends)
    }

    private var isGuests: Bool { group.roster.members[own]?.isGuest == true }

    /// The selected messages, in the tour's order.
    /// - Throws: `NodeError` for an unknown `since`.
    /// - Parameter throughRow: leaves out rows stored after this one.
    package func listing(_ selection: Selection, throughRow: Int64? = nil) throws -> MessageListing {
        var query = listed
        query.throughRow = throughRow
        query.classes = selection.classes
        if let since = selection.since { query.afterPosition = MessagePosition(try event(idPrefix: since)) }
        return MessageListing(view: self, query: query, selection: selection)
    }

    /// - Throws: `NodeError` when no message, or more than one, has an id that starts with these digits.
    package func event(idPrefix: String) throws -> StoredEvent {
        guard idPrefix.count >= 6 else { throw NodeError.message(.idTooShort) }
        let found = try store.events(tour, idPrefix: idPrefix.lowercased())
        if found.count > 1 { throw NodeError.ambiguous(idPrefix, found.map { String($0.event.id.hex.prefix(12)) }) }
        guard let event = found.first else { throw NodeError.message(.unknown(idPrefix)) }
        return event
    }

    /// - Throws: as `event(idPrefix:)` does, and for a word that its reader is not shown, which nobody answers to all.
    func answered(_ idPrefix: String) throws -> EventID {
        let stored = try event(idPrefix: idPrefix)
        guard !isHiddenAside(stored) else { throw NodeError.message(.unknown(idPrefix)) }
        return stored.event.id
    }

    /// - Returns: nil for an event that is no message: control events, names, and content that its author may not
    ///   write.
    package func view(_ stored: StoredEvent) -> Message? {
        let event = stored.event
        let header = event.header
        guard header.eventClass != .control, header.eventClass != .profile else { return nil }
        guard let member = group.roster.members[header.author] else { return nil }
        let counts = member.reaches(header.sequence, event.id)
        guard counts || isOwn(member.id) else { return nil }
        var view = Message(
            id: event.id.hex, tourID: tour.hex, authorID: member.id.hex, authorName: name(of: member.id),
            authorNamesake: namesake(of: member.id), authorRole: group.roster.roleWord(of: member),
            seq: header.sequence, type: "unsupported", content: "", metadata: Message.Metadata(),
            sentAt: Timestamp.text(milliseconds: stored.place.milliseconds),
            receivedAt: Timestamp.text(microseconds: stored.receivedAt),
            status: counts ? receipts.status(of: event) : .failed, syncedAt: nil, hops: stored.hops,
            mine: counts ? member.id == own : true,
            unread: !isOwn(member.id) && !stored.isSeen && header.clock > historyEnd, replyTo: nil)
        if !counts { view.metadata.reason = .notAccepted }
        showSynced(&view, header)
        if stored.place != header.clock { view.metadata.clockWrong = true }
        if withdrawals.contains(Withdrawal(event: event.id, author: header.author)) {
            view.type = "withdrawn"
            return isHiddenAside(stored) ? nil : view
        }
        if isGuests, header.clock <= historyEnd {
            view.metadata.reason = .beforeJoining
            return isHiddenAside(stored) ? nil : view
        }
        if isQuiet(at: event) {
            guard isOwn(member.id) else {
                view.type = "withheld"
                return view
            }
            view.metadata.reason = .quiet
            view.status = .failed
        }
        let content: Content
        do {
            content = try group.open(event, beyondCut: !counts, archived: stored.archived)
        } catch .unknownEpoch where header.clock <= historyEnd {
            view.metadata.reason = .beforeJoining
            return view
        } catch .notAllowed, .badSeal, .badContent, .unknownAuthor, .beyondCut {
            return nil
        } catch {
            // Its epoch's key is missing, or its class belongs to a later version: the message exists but cannot be
            // shown.
            return view
        }
        // These are shown with the alarm, the roll call and the tour, and are no messages.
        switch content {
        case .alarmAnswer, .rollEnd, .buddies, .quiet: return nil
        // Shown as unreadable if the store fails.
        case .shared(let part): return (try? show(part, of: event, counts: counts, in: &view)) ?? true ? view : nil
        case .aside: return show(event, in: &view) ? view : nil
        default: break
        }
        view.show(content, wallMilliseconds: NodeClock.wallMilliseconds, progress: files[event.id])
        return view
    }

    /// Shows a word between one person and the guides.
    /// - Returns: false for a word that is not for this reader, and for one that is no message.
    private func show(_ event: Event, in view: inout Message) -> Bool {
        guard let word = readableWord(of: event) else { return false }
        if case .alarmAnswer = word.content { return false }
        view.metadata.alone = Message.Alone(memberID: word.person.hex, name: distinctName(of: word.person))
        view.show(word.content, wallMilliseconds: NodeClock.wallMilliseconds, progress: nil)
        return true
    }

    private func readableWord(of event: Event) -> AsideWord? {
        asides.word(of: event.id).flatMap { group.mayRead($0, by: event.header.author, own) ? $0 : nil }
    }

    /// Whether the event is a word between one person and the guides that is not for this reader.
    private func isHiddenAside(_ stored: StoredEvent) -> Bool {
        let content = try? group.open(stored.event, beyondCut: true, archived: stored.archived)
        guard case .aside? = content else { return false }
        return readableWord(of: stored.event) == nil
    }

    private func showSynced(_ view: inout Message, _ header: EventHeader) {
        guard header.sequence <= synced[header.author] ?? 0,
            let record = try? store.syncedRecord(tour, author: header.author, sequence: header.sequence)
        else { return }
        view.syncedAt = Timestamp.text(milliseconds: record.at)
        view.metadata.syncedBy = record.by.map(distinctName)
    }

    /// Whether only those who led could write at the event's place, and its author did not.
    private func isQuiet(at event: Event) -> Bool {
        let leads = group.roster.members[event.header.author]?.rank(at: event.header.sequence).leads ?? false
        return quiet.withholds(event.header, event.id, leads: leads)
    }

    /// Whether the event is shown to nobody but its author.
    func withholds(_ event: Event) -> Bool { isQuiet(at: event) && !isOwn(event.header.author) }

    private func isOwn(_ member: MemberID) -> Bool { member == own || formerIDs.contains(member) }

    /// We were never given events before this, and have not missed them; zero where joiners are given the full
    /// history.
    var historyEnd: LogicalClock { group.roster.historyEnd(for: own) }

    func name(of member: MemberID) -> String {
        if let name = names[member] { return name }
        guard let known = group.roster.members[member] else { return member.description }
        // An archive sends no name itself.
        return known.isArchive ? "Server archive" : KeyName(identity: known.identity).description
    }

    /// The first four digits of the member's id, if its name does not identify it: another active member's name reads
    /// the same; or the member has gone, and any other member's name does.
    func namesake(of member: MemberID) -> String? {
        let others = names.namesakes(of: member)
        guard !others.isEmpty else { return nil }
        let members = group.roster.members
        let isIn = members[member]?.isActive == true
        let isTaken = others.contains { other in members[other].map { $0.isActive || !isIn } ?? false }
        return isTaken ? String(member.hex.prefix(4)) : nil
    }

    /// The name, with the digits that distinguish it from another that reads the same.
    func distinctName(of member: MemberID) -> String {
        name(of: member) + (namesake(of: member).map { " (\($0))" } ?? "")
    }
}
