import TourModel

/// Names a tour: the hash of its first event, the same on every device.
public struct TourIdentifier: Hashable, Sendable, CustomStringConvertible {
    let raw: TourID

    init(_ raw: TourID) { self.raw = raw }

    /// - Parameter hex: 64 hexadecimal digits.
    /// - Returns: nil for anything else.
    public init?(hex: String) {
        guard let raw = TourID(hex: hex) else { return nil }
        self.raw = raw
    }

    /// 64 hexadecimal digits.
    public var hex: String { raw.hex }
    /// The first 8 digits, for logs.
    public var description: String { raw.description }
}

/// Names a member: one device in one tour.
public struct MemberIdentifier: Hashable, Sendable, CustomStringConvertible {
    let raw: MemberID

    init(_ raw: MemberID) { self.raw = raw }

    /// - Parameter hex: 64 hexadecimal digits.
    /// - Returns: nil for anything else.
    public init?(hex: String) {
        guard let raw = MemberID(hex: hex) else { return nil }
        self.raw = raw
    }

    /// 64 hexadecimal digits.
    public var hex: String { raw.hex }
    /// The first 8 digits, for logs.
    public var description: String { raw.description }
}

/// Names a message, the same on every device.
public struct MessageIdentifier: Hashable, Sendable, CustomStringConvertible {
    let raw: EventID

    init(_ raw: EventID) { self.raw = raw }

    /// - Parameter hex: 64 hexadecimal digits.
    /// - Returns: nil for anything else.
    public init?(hex: String) {
        guard let raw = EventID(hex: hex) else { return nil }
        self.raw = raw
    }

    /// 64 hexadecimal digits.
    public var hex: String { raw.hex }
    /// The first 8 digits, for logs.
    public var description: String { raw.description }
}

/// A connection of the app: a TCP connection, or anything else that carries bytes in order both ways. The app chooses
/// the number, and never uses one twice.
public struct Connection: Hashable, Sendable {
    /// The app's number.
    public let number: UInt64

    /// A number that no other connection has, or had.
    public init(_ number: UInt64) { self.number = number }
}
