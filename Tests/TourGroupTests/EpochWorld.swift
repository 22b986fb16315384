import TourCrypto
import TourGroup
import TourModel
import TourWire

/// A tour with several leaders, whose epochs and rosters are made by hand: 1 to 3 lead.
struct EpochWorld {
    var party = Party()
    private(set) var epochs: [EpochID: Epoch] = [:]
    private(set) var keys: [EpochID: SecretBytes] = [:]
    let genesis: EpochID

    init() throws {
        let record = try ControlRecord(genesis: party.genesis)
        guard let first = Epoch(record) else { throw GroupFault.badGenesis }
        genesis = first.id
        epochs = [first.id: first]
        keys = [first.id: party.epochKey]
    }

    /// Made once: tests ask for them very often.
    private static let members = (0..<20).map(Party.keys)
    private static let memberIDs = members.map(\.memberID)

    static func ids(_ numbers: some Sequence<Int>) -> Set<MemberID> { Set(numbers.map { memberIDs[$0] }) }

    /// - Parameter removed: those known to be removed; they were members.
    static func holders(
        _ members: [Int], removed: [Int] = [], leaders: [Int] = [1, 2, 3]
    ) -> KeyHolders {
        let keys = members.map { (memberIDs[$0], [UInt64(0): Self.members[$0].wrapping.publicKey]) }
        return KeyHolders(
            active: ids(members).subtracting(ids(removed)), leaders: ids(leaders).subtracting(ids(removed)),
            barred: ids(removed), void: [],
            wrappingKeys: Dictionary(uniqueKeysWithValues: keys))
    }

    /// An epoch by one of the members, for some of them, to the keys that they were admitted with.
    mutating func rekey(
        by author: Int, after parents: [EpochID], for members: [Int], without excluded: [Int] = [],
        roster: Bytes32? = nil
    ) throws -> EpochID {
        let key = SecretBytes([UInt8](repeating: UInt8(truncatingIfNeeded: epochs.count + 100), count: 32))
        let ordered = members.sorted { Self.memberIDs[$0] < Self.memberIDs[$1] }
        let recipients = ordered.map { ControlBody.Rekey.Recipient(member: Self.memberIDs[$0].prefix, generation: 0) }
        let digest = roster ?? Self.holders(members).digest(of: recipients) ?? .zero
        let parents = parents.sorted()
        let body = ControlBody.Rekey(
            parents: parents, roster: digest,
            commitment: EpochKey.commitment(
                of: key, parents: parents, roster: digest, author: Self.members[author].identity.publicKey),
            recipients: recipients,
            wraps: ordered.flatMap { Self.members[$0].wrapping.publicKey.wrap(key) ?? [] },
            excluded: excluded.map { Self.memberIDs[$0].prefix }.sorted())
        let event = party.write(.rekey(body), by: author == 1 ? nil : author, at: Int64(epochs.count) * 1_000)
        guard let epoch = Epoch(try ControlRecord(verified: event)) else { throw GroupFault.badControl }
        epochs[epoch.id] = epoch
        keys[epoch.id] = key
        return epoch.id
    }

    func graph(_ ids: [EpochID], _ holders: KeyHolders) -> EpochGraph {
        EpochGraph(([genesis] + ids).compactMap { epochs[$0] }, holders)
    }

    func known(_ ids: [EpochID]) -> [Epoch] { ([genesis] + ids).compactMap { epochs[$0] } }

    func identity(of epoch: EpochID) -> SigningKey {
        let numbers = 1...3
        let author = numbers.first { Self.memberIDs[$0] == epochs[epoch]?.author } ?? 1
        return Self.members[author].identity.publicKey
    }

    /// Whether each of these epochs' keys was taken.
    func learn(_ ids: [EpochID], _ keyring: inout EpochKeyring) -> [Bool] {
        ids.map { id in
            guard let key = keys[id] else { return false }
            return keyring.learn(id, key, identity: identity(of: id))
        }
    }
}
