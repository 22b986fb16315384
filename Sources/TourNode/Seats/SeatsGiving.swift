import TourCrypto
import TourGroup
import TourModel

/// The tour in which this node gives seats, and on what terms.
struct SeatsGiving {
    private static let termsSetting = "seats"
    private static let passSetting = "seat-pass"
    private static let licenceSetting = "seat-licence"
    private static let endSetting = "seats-ended"
    private static let keySetting = "seat-key"

    var tour: TourID
    /// The most guests at a time.
    var max: Int
    var pass: SeatPass
    /// The licence with which the pass ends; nil: it is not known yet.
    private(set) var licence: SigningKey?
    /// When this node noticed that the tour had ended, in milliseconds since 1970; nil: it goes on.
    private(set) var endedAt: Int64?

    init(tour: TourID, max: Int, pass: SeatPass, licence: SigningKey? = nil, endedAt: Int64? = nil) {
        self.tour = tour
        self.max = max
        self.pass = pass
        self.licence = licence
        self.endedAt = endedAt
    }

    /// What `keep` stored; nil: no seats are given, or in a tour that is not here any more.
    init?(_ host: any SeatsHost) {
        guard let stored = host.setting(Self.termsSetting), stored.count == Bytes32.count + 2,
            let tour = TourID(stored.prefix(Bytes32.count)), host.facts(of: tour) != nil,
            let pass = host.setting(Self.passSetting).flatMap({ SeatPass(stored: $0) })
        else { return nil }
        self.init(
            tour: tour, max: Int(stored[32]) << 8 | Int(stored[33]), pass: pass,
            licence: host.setting(Self.licenceSetting).flatMap { SigningKey($0) },
            endedAt: host.setting(Self.endSetting).flatMap { stored in
                stored.count == 8 ? stored.reduce(0) { $0 << 8 | Int64($1) } : nil
            })
    }

    func keep(_ host: any SeatsHost) throws {
        try host.setSetting(Self.termsSetting, tour.bytes + [UInt8(max >> 8), UInt8(max & 0xFF)])
        try host.setSetting(Self.passSetting, pass.stored)
        try host.setSetting(Self.licenceSetting, licence?.bytes)
        try host.setSetting(
            Self.endSetting,
            endedAt.map { time in stride(from: 56, through: 0, by: -8).map { UInt8(truncatingIfNeeded: time >> $0) } })
    }

    /// - Returns: whether the tour has ended, or goes on, and that was not known yet.
    mutating func noteEnd(_ host: any SeatsHost) -> Bool {
        guard let facts = host.facts(of: tour), facts.isEnded == (endedAt == nil) else { return false }
        endedAt = facts.isEnded ? facts.wallMilliseconds : nil
        return true
    }

    /// A pass ends with its licence: a removed member may have seen it. Under the next licence another one takes its
    /// place, for as many and for as long as were left.
    /// - Returns: whether anything is to be kept.
    mutating func follow(_ facts: SeatFacts) -> Bool {
        if let licence, facts.stands(licence) { return false }
        let open = facts.roster.licences(of: facts.own, wallMilliseconds: facts.wallMilliseconds)
        guard let newest = open.first else { return false }
        if licence != nil { pass = SeatPass(uses: pass.usesLeft, endsAt: pass.endsAt) }
        licence = newest.key
        return true
    }

    static func forget(_ host: any SeatsHost) throws {
        try host.setSetting(termsSetting, nil)
        try host.setSetting(passSetting, nil)
        try host.setSetting(licenceSetting, nil)
        try host.setSetting(endSetting, nil)
    }

    /// The static key of the channel, made once.
    static func channelKey(_ host: any SeatsHost) throws -> LinkKeyPair {
        if let stored = host.setting(keySetting), let pair = LinkKeyPair(secret: SecretBytes(stored)) { return pair }
        let pair = LinkKeyPair()
        try host.setSetting(keySetting, pair.secret.exposedCopy())
        return pair
    }
}
