import TourCrypto
import TourModel

/// The tour in which this node gives seats, and on what terms.
struct SeatsGiving {
    private static let termsSetting = "seats"
    private static let passSetting = "seat-pass"
    private static let keySetting = "seat-key"

    var tour: TourID
    /// The most guests at a time.
    var max: Int
    var pass: SeatPass

    init(tour: TourID, max: Int, pass: SeatPass) {
        self.tour = tour
        self.max = max
        self.pass = pass
    }

    /// What `keep` stored; nil: no seats are given, or in a tour that is not here any more.
    init?(_ host: any SeatsHost) {
        guard let stored = host.setting(Self.termsSetting), stored.count == Bytes32.count + 2,
            let tour = TourID(stored.prefix(Bytes32.count)), host.facts(of: tour) != nil,
            let pass = host.setting(Self.passSetting).flatMap({ SeatPass(stored: $0) })
        else { return nil }
        self.init(tour: tour, max: Int(stored[32]) << 8 | Int(stored[33]), pass: pass)
    }

    func keep(_ host: any SeatsHost) throws {
        try host.setSetting(Self.termsSetting, tour.bytes + [UInt8(max >> 8), UInt8(max & 0xFF)])
        try host.setSetting(Self.passSetting, pass.stored)
    }

    static func forget(_ host: any SeatsHost) throws {
        try host.setSetting(termsSetting, nil)
        try host.setSetting(passSetting, nil)
    }

    /// The static key of the channel, made once.
    static func channelKey(_ host: any SeatsHost) throws -> LinkKeyPair {
        if let stored = host.setting(keySetting), let pair = LinkKeyPair(secret: SecretBytes(stored)) { return pair }
        let pair = LinkKeyPair()
        try host.setSetting(keySetting, pair.secret.exposedCopy())
        return pair
    }
}
