import TourAPI
import TourModel

// How a server says what it knows of organisations. Source: `Protocol/Schema/openapi.yaml`.
extension ServerOrganisations {
    /// The bytes of the longest address. Source: RFC 5321, section 4.5.3.1.3.
    static let emailBytesMax = 254
    /// The bytes of the longest phone, with its `+`. Source: ITU-T E.164.
    static let phoneBytesMax = 16
    /// The bytes of a code, with its dashes. Source: `Protocol/Schema/openapi.yaml`, `OrganisationInvitation`.
    static let codeBytesMax = 19

    /// The members of a server's answers.
    fileprivate enum Key: String, CodingKey {
        case id, name, role, account, tours, email, phone, code, invitation, isPlanned, isActive
        case createdAt, joinedAt, expiresAt, startDate, endDate
    }
}

extension Organisation: Decodable {
    package init(from decoder: any Decoder) throws {
        let fields = try decoder.container(keyedBy: ServerOrganisations.Key.self)
        self.init(
            id: try fields.decode(Int64.self, forKey: .id), name: try fields.text(.name, bytesMax: Limits.nameBytesMax),
            role: try fields.decode(OrganisationRole.self, forKey: .role), createdAt: try fields.time(.createdAt),
            joinedAt: try fields.timeIfPresent(.joinedAt),
            invitation: try fields.decodeIfPresent(Int64.self, forKey: .invitation))
    }
}

extension OrganisationMember: Decodable {
    package init(from decoder: any Decoder) throws {
        let fields = try decoder.container(keyedBy: ServerOrganisations.Key.self)
        self.init(
            account: try fields.decode(Int64.self, forKey: .account),
            role: try fields.decode(OrganisationRole.self, forKey: .role), joinedAt: try fields.time(.joinedAt),
            tours: try fields.decode(Int.self, forKey: .tours),
            email: try fields.textIfPresent(.email, bytesMax: ServerOrganisations.emailBytesMax),
            phone: try fields.textIfPresent(.phone, bytesMax: ServerOrganisations.phoneBytesMax), own: false)
    }
}

extension OrganisationInvitation: Decodable {
    package init(from decoder: any Decoder) throws {
        let fields = try decoder.container(keyedBy: ServerOrganisations.Key.self)
        self.init(
            id: try fields.decode(Int64.self, forKey: .id),
            role: try fields.decode(OrganisationRole.self, forKey: .role),
            email: try fields.textIfPresent(.email, bytesMax: ServerOrganisations.emailBytesMax),
            phone: try fields.textIfPresent(.phone, bytesMax: ServerOrganisations.phoneBytesMax),
            code: try fields.textIfPresent(.code, bytesMax: ServerOrganisations.codeBytesMax),
            createdAt: try fields.time(.createdAt), expiresAt: try fields.time(.expiresAt))
    }
}

extension OrganisationTour: Decodable {
    package init(from decoder: any Decoder) throws {
        let fields = try decoder.container(keyedBy: ServerOrganisations.Key.self)
        guard let tour = TourID(hex: try fields.decode(String.self, forKey: .id)) else {
            throw DecodingError.dataCorruptedError(forKey: .id, in: fields, debugDescription: "no tour's id")
        }
        self.init(
            id: tour.hex, name: try fields.text(.name, bytesMax: Limits.nameBytesMax),
            account: try fields.decodeIfPresent(Int64.self, forKey: .account),
            planned: try fields.decode(Bool.self, forKey: .isPlanned),
            active: try fields.decode(Bool.self, forKey: .isActive),
            startDate: try fields.timeIfPresent(.startDate), endDate: try fields.timeIfPresent(.endDate),
            createdAt: try fields.time(.createdAt))
    }
}

extension KeyedDecodingContainer {
    fileprivate func text(_ key: Key, bytesMax: Int) throws -> String {
        let text = try decode(String.self, forKey: key)
        guard text.utf8.count <= bytesMax else {
            throw DecodingError.dataCorruptedError(forKey: key, in: self, debugDescription: "too long")
        }
        return text
    }

    fileprivate func textIfPresent(_ key: Key, bytesMax: Int) throws -> String? {
        try decodeIfPresent(String.self, forKey: key) == nil ? nil : text(key, bytesMax: bytesMax)
    }

    /// A server's time in whole seconds.
    fileprivate func time(_ key: Key) throws -> String {
        ServerTime.text(milliseconds: try decode(ServerTime.self, forKey: key).milliseconds)
    }

    fileprivate func timeIfPresent(_ key: Key) throws -> String? {
        try decodeIfPresent(String.self, forKey: key) == nil ? nil : time(key)
    }
}
