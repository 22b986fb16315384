import TourModel

// What a server says of organisations, and what the node's local API passes on of it: missing values become null there.
// Sources: `Protocol/Schema/openapi.yaml`, `Protocol/Schema/local-api.yaml`.
extension ServerOrganisations {
    /// What a member may do. It changes no role on the server, and no rank in a tour.
    package enum Role: String, Codable, CaseIterable, Sendable {
        case guide, admin
    }

    /// One that the account is in, or invited to. Times are RFC 3339.
    package struct Organisation: Codable, Hashable, Sendable {
        package var id: Int64
        package var name: String
        /// The account's own, or the one that it is invited to.
        package var role: Role
        package var createdAt: String
        /// nil where the account is only invited.
        @Nullable package var joinedAt: String?
        /// The number of the account's invitation; nil for a member.
        @Nullable package var invitation: Int64?
    }

    /// A member, as the members see each other.
    package struct Member: Codable, Hashable, Sendable {
        /// The number of the account.
        package var account: Int64
        package var role: Role
        package var joinedAt: String
        /// The tours of the organisation that the member owns.
        package var tours: Int
        /// Address and phone are for admins alone.
        @Nullable package var email: String?
        @Nullable package var phone: String?
        /// Whether it is the account that is logged in here.
        package var own = false
    }

    /// An open invitation, as admins see it.
    package struct Invitation: Codable, Hashable, Sendable {
        package var id: Int64
        package var role: Role
        @Nullable package var email: String?
        @Nullable package var phone: String?
        /// Only in the answer that makes an invitation of nobody in particular.
        @Nullable package var code: String?
        package var createdAt: String
        package var expiresAt: String
    }

    /// A tour that was shared with an organisation.
    package struct Tour: Codable, Hashable, Sendable {
        /// Hexadecimal.
        package var id: String
        /// The server's own; empty where nobody gave one.
        package var name: String
        /// The number of the owner's account; nil once that is deleted.
        @Nullable package var account: Int64?
        /// Whether no device has made it yet.
        package var planned: Bool
        package var active: Bool
        @Nullable package var startDate: String?
        @Nullable package var endDate: String?
        package var createdAt: String
    }

    /// The bytes of the longest address. Source: RFC 5321, section 4.5.3.1.3.
    static let emailBytesMax = 254
    /// The bytes of the longest phone, with its `+`. Source: ITU-T E.164.
    static let phoneBytesMax = 16
    /// The bytes of a code, with its dashes. Source: `Protocol/Schema/openapi.yaml`, `OrganisationInvitation`.
    static let codeBytesMax = 19
}

extension ServerOrganisations.Organisation {
    package init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        id = try container.decode(Int64.self, forKey: .id)
        name = try container.text(.name, bytesMax: Limits.nameBytesMax)
        role = try container.decode(ServerOrganisations.Role.self, forKey: .role)
        createdAt = try container.time(.createdAt)
        joinedAt = try container.timeIfPresent(.joinedAt)
        invitation = try container.decodeIfPresent(Int64.self, forKey: .invitation)
    }
}

extension ServerOrganisations.Member {
    package init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        account = try container.decode(Int64.self, forKey: .account)
        role = try container.decode(ServerOrganisations.Role.self, forKey: .role)
        joinedAt = try container.time(.joinedAt)
        tours = try container.decode(Int.self, forKey: .tours)
        email = try container.textIfPresent(.email, bytesMax: ServerOrganisations.emailBytesMax)
        phone = try container.textIfPresent(.phone, bytesMax: ServerOrganisations.phoneBytesMax)
    }
}

extension ServerOrganisations.Invitation {
    package init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        id = try container.decode(Int64.self, forKey: .id)
        role = try container.decode(ServerOrganisations.Role.self, forKey: .role)
        email = try container.textIfPresent(.email, bytesMax: ServerOrganisations.emailBytesMax)
        phone = try container.textIfPresent(.phone, bytesMax: ServerOrganisations.phoneBytesMax)
        code = try container.textIfPresent(.code, bytesMax: ServerOrganisations.codeBytesMax)
        createdAt = try container.time(.createdAt)
        expiresAt = try container.time(.expiresAt)
    }
}

extension ServerOrganisations.Tour {
    /// The server's own names.
    private enum ServerKeys: String, CodingKey { case isPlanned, isActive }

    package init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        let server = try decoder.container(keyedBy: ServerKeys.self)
        guard let tour = TourID(hex: try container.decode(String.self, forKey: .id)) else {
            throw DecodingError.dataCorruptedError(forKey: .id, in: container, debugDescription: "no tour's id")
        }
        id = tour.hex
        name = try container.text(.name, bytesMax: Limits.nameBytesMax)
        account = try container.decodeIfPresent(Int64.self, forKey: .account)
        planned = try server.decode(Bool.self, forKey: .isPlanned)
        active = try server.decode(Bool.self, forKey: .isActive)
        startDate = try container.timeIfPresent(.startDate)
        endDate = try container.timeIfPresent(.endDate)
        createdAt = try container.time(.createdAt)
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
