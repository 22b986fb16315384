import Foundation
import ServerBase
import TourModel

/// A new tour, by its genesis or, planned, by its name alone.
struct NewGroup: Decodable {
    var genesis: Data?
    var controls: [Data]?
    var memberId: String?
    var nonce: String?
    var signature: Data?
    var name: String?
    var startDate: Date?
    var endDate: Date?

    var listing: TourListing {
        TourListing(name: name, startDate: startDate?.microseconds, endDate: endDate?.microseconds)
    }

    /// What a device that founds a tour shows.
    struct Founding: Sendable {
        let genesis: [UInt8]
        let news: ControlNews
        let proof: MemberProof
    }

    /// - Returns: nil for a plan, which has none of a founding's fields.
    /// - Throws: `invalidField` for the first field that is missing.
    func founding() throws(Failure) -> Founding? {
        guard genesis != nil || controls != nil || memberId != nil || nonce != nil || signature != nil else {
            return nil
        }
        guard let genesis else { throw .invalid("genesis") }
        guard let memberId else { throw .invalid("memberId") }
        guard let nonce else { throw .invalid("nonce") }
        guard let signature else { throw .invalid("signature") }
        return Founding(
            genesis: Array(genesis), news: ControlNews(others: try ControlList(controls ?? []).events),
            proof: try MemberProof(member: memberId, nonce: nonce, signature: signature))
    }
}

/// A change of a tour on the server: an absent field stays as it is, and null clears a date.
struct GroupChange: Decodable {
    var name: String?
    var isActive: Bool?
    /// In both, the outer nil means that the request does not name the field.
    var startDate: Date??
    var endDate: Date??
    /// The id of a plan of the account that the tour replaces.
    var planned: String?

    private enum CodingKeys: CodingKey { case name, isActive, startDate, endDate, planned }

    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        name = try container.decodeIfPresent(String.self, forKey: .name)
        isActive = try container.decodeIfPresent(Bool.self, forKey: .isActive)
        if container.contains(.startDate) {
            startDate = .some(try container.decodeIfPresent(Date.self, forKey: .startDate))
        }
        planned = try container.decodeIfPresent(String.self, forKey: .planned)
        if container.contains(.endDate) { endDate = .some(try container.decodeIfPresent(Date.self, forKey: .endDate)) }
    }
}

extension Date {
    /// Since 1970; times outside the years 1970 to 9999 are clamped to them.
    var microseconds: Int64 {
        Int64(min(max(timeIntervalSince1970, 0), 253_402_300_799)) * 1_000_000
    }
}
