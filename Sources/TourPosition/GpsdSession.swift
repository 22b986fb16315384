import TourModel

/// What a receiver says now.
package enum Reading: Hashable, Sendable {
    case fix(Fix)
    case nothing(PositionFault)
}

/// One connection to gpsd, without the connection: lines in, readings out.
package struct GpsdSession {
    private let address: GpsdAddress
    private(set) var isGreeted = false
    private var hasReceiver = false

    /// A fix whose receiver's clock is further from ours is not one of now.
    static let timeApartMax: Int64 = 60_000

    package init(_ address: GpsdAddress) { self.address = address }

    /// What is wrong as long as no fix came.
    package var fault: PositionFault {
        if !isGreeted { return .unreachable(address) }
        return hasReceiver ? .noFix : .noReceiver
    }

    /// - Parameter wallMilliseconds: this machine's clock, since 1970.
    /// - Returns: nil where the line changes nothing.
    /// - Throws: `notGpsd` when the first line is no greeting. A bad line later is skipped.
    package mutating func take(_ line: [UInt8], wallMilliseconds: Int64) throws(PositionFault) -> Reading? {
        let report = GpsdReport(line)
        guard isGreeted else {
            guard report == .version else { throw .notGpsd(address) }
            isGreeted = true
            return nil
        }
        switch report {
        case .devices(let count): hasReceiver = count > 0
        case .device(let isActive): hasReceiver = isActive
        case .position(let position):
            hasReceiver = true
            if let position { return Self.reading(position, wallMilliseconds) }
        case .version, .other, nil: return nil
        }
        return .nothing(fault)
    }

    /// What comes is of now: gpsd passes on what the receiver says, and repeats nothing.
    private static func reading(_ position: GpsdReport.Position, _ wall: Int64) -> Reading {
        let apart = wall.subtractingReportingOverflow(position.fixedAt ?? wall)
        guard !apart.overflow, apart.partialValue.magnitude <= timeApartMax.magnitude else {
            return .nothing(.timeApart(seconds: apart.overflow ? .max : apart.partialValue / 1_000))
        }
        let fix = Fix(
            position.coordinate, accuracyMetres: position.accuracyMetres, fixedAt: position.fixedAt ?? wall)
        return fix.map(Reading.fix) ?? .nothing(.noFix)
    }
}
