import TourCrypto
import TourGossip
import TourModel
import TourRuntime

/// A code that lets a device into a tour: 56 letters, alone or in a link that also says where members are.
///
/// ```swift
/// let code = try JoinCode("tour-chat://join/AEBA…?a=192.168.1.20:29795")
/// for address in code.addresses { connect(to: address.host, port: address.port) }
/// ```
public struct JoinCode: Hashable, Sendable {
    let code: InviteCode
    /// Where members were when the link was made, at most 8.
    public let addresses: [PeerAddress]

    /// - Parameter text: as a person typed, copied or scanned it. Case, blanks and dashes do not matter.
    /// - Throws: `JoinCodeFault`, which says how the person can correct it.
    public init(_ text: String) throws(JoinCodeFault) {
        do {
            let link = try InviteLink(parsing: text)
            code = link.code
            addresses = link.addresses.map(PeerAddress.init)
        } catch {
            throw JoinCodeFault(error as? InviteCodeError ?? .notBase32)
        }
    }

    init(_ code: InviteCode) {
        self.code = code
        addresses = []
    }

    /// 14 groups of four letters with dashes, for people.
    public var text: String { code.text }

    /// A link for a message or a QR code.
    /// - Parameter addresses: where this device accepts connections; the first 8 count.
    public func link(at addresses: [PeerAddress] = []) -> String {
        InviteLink(code: code, addresses: addresses.map(\.raw)).text
    }

    /// Whether the code is for this tour.
    public func names(_ tour: TourIdentifier) -> Bool { code.names(tour.raw) }
}

/// Why a text is no code.
public enum JoinCodeFault: Error, Hashable, Sendable {
    /// A character that occurs in no code.
    case letters
    /// Letters are missing, or there are too many.
    case length
    /// At least one letter is wrong.
    case mistyped
    /// A code of another version of the protocol.
    case version

    init(_ error: InviteCodeError) {
        self =
            switch error {
            case .notBase32: .letters
            case .wrongLength: .length
            case .mistyped: .mistyped
            case .wrongVersion: .version
            }
    }
}

/// Where a member can be reached.
public struct PeerAddress: Hashable, Sendable, CustomStringConvertible {
    /// A numeric address, or a name that the system resolves; at most 255 bytes.
    public let host: String
    /// The TCP port, 1 to 65535.
    public let port: UInt16

    /// - Parameter text: `HOST:PORT` or `[IPv6]:PORT`.
    /// - Returns: nil for anything else.
    public init?(_ text: String) {
        guard let address = Dialer.Address(text) else { return nil }
        self.init(address)
    }

    /// A host and its port, as they are.
    public init(host: String, port: UInt16) {
        self.host = host
        self.port = port
    }

    init(_ address: Dialer.Address) { self.init(host: address.host, port: address.port) }

    var raw: Dialer.Address { Dialer.Address(host: host, port: port) }
    /// `HOST:PORT` or `[IPv6]:PORT`.
    public var description: String { raw.description }
}
