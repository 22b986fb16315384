import TourCrypto
import TourModel
import TourWire

// Words between one person and those who lead. Source: `Protocol/05-events.md`, "Asides".
extension TourGroup {
    /// Seals a word for everybody who leads now, for the person whom it concerns and for its author.
    /// - Parameters:
    ///   - key: `WrappingKey.keyBytes` random bytes, for this word alone.
    ///   - host: the member that writes for a guest now, which opens the word in the guest's place.
    /// - Returns: nil where none of those who lead has a key.
    package func seal(
        _ word: AsideWord, by author: MemberID, key: SecretBytes, host: (MemberID) -> MemberID?
    ) -> Aside? {
        let leaders = roster.leaders
        // Those who must be able to open it come first, then the highest ranks: there may be more than it holds.
        let own = [author, word.person].compactMap { roster.members[$0]?.isGuest == true ? host($0) : $0 }
        let ranked = leaders.compactMap { roster.members[$0] }.sorted { ($1.rank, $0.id) < ($0.rank, $1.id) }.map(\.id)
        var readers = [Aside.Reader]()
        var taken = Set<MemberID>()
        for member in own + ranked where readers.count < Limits.asideReadersMax {
            guard roster.members[member]?.isActive == true, taken.insert(member).inserted,
                let newest = keyring.holders.newestKey(of: member), let wrap = newest.key.wrap(key)
            else { continue }
            readers.append(.init(member: member.prefix, generation: newest.generation, wrap: wrap))
        }
        guard !taken.isDisjoint(with: leaders.subtracting([author])) || leaders.contains(author) else { return nil }
        return Aside(
            readers: readers.sorted { $0.member < $1.member },
            sealed: Seal.seal(word.encode(), key: Aside.sealingKey(key, tour, author), associatedData: [UInt8]()))
    }

    /// Opens a word that is sealed for one of our wrapping keys.
    /// - Parameters:
    ///   - header: of the event that says it.
    ///   - pairs: our wrapping keys.
    /// - Returns: nil for a word that is not for us, and for one that its author may not say.
    package func open(
        _ aside: Aside, _ header: EventHeader, for own: MemberID, by pairs: [WrappingKeyPair]
    ) -> AsideWord? {
        // The event that published the key may be among those that are not held any more: each is tried.
        guard aside.readers.contains(where: { $0.member == own.prefix }),
            let word = pairs.lazy.compactMap({ aside.word(of: header.author, in: tour, for: own, by: $0) }).first
        else { return nil }
        return mayStand(word, header) ? word : nil
    }

    /// A member who does not lead speaks with those who lead, for itself alone: of nobody else, and to nobody else.
    private func mayStand(_ word: AsideWord, _ header: EventHeader) -> Bool {
        let leads = roster.members[header.author]?.rank(at: header.sequence).leads ?? false
        switch word.content {
        case .alarm: return word.person == header.author
        case .alarmAnswer(let answer) where answer.word != .found: return leads
        default: return leads || word.person == header.author
        }
    }

    /// Whether somebody may read a word that its device can open: its author, the person whom it concerns, and those
    /// who lead. A program that seals a word for somebody else shows it to nobody.
    package func mayRead(_ word: AsideWord, by author: MemberID, _ reader: MemberID) -> Bool {
        reader == author || reader == word.person || roster.members[reader]?.rank.leads == true
    }
}

extension Aside {
    /// Opens it with one wrapping key, whoever may say what is in it.
    /// - Parameters:
    ///   - author: of the event that says it.
    ///   - reader: whose wrapping key that is.
    /// - Returns: nil for a word that is not sealed for this key, or not by this author in this tour.
    package func word(
        of author: MemberID, in tour: TourID, for reader: MemberID, by pair: WrappingKeyPair
    ) -> AsideWord? {
        guard let wrap = readers.first(where: { $0.member == reader.prefix })?.wrap, let key = pair.open(wrap),
            let plaintext = try? Seal.open(
                sealed, key: Self.sealingKey(key, tour, author), associatedData: [UInt8]())
        else { return nil }
        return AsideWord(decoding: plaintext)
    }

    /// A member who copies another's aside into its own log has the key of another author.
    fileprivate static func sealingKey(_ key: SecretBytes, _ tour: TourID, _ author: MemberID) -> SecretBytes {
        Hash.keyed(key, .aside, tour.bytes + author.bytes)
    }
}
