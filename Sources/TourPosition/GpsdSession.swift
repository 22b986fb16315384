import TourModel

/// A receiver's present report.
package enum Reading: Hashable, Sendable {
    /// A current fix.
    case fix(Fix)
    /// No fix, for this reason.
    case nothing(PositionFault)
}

/// The protocol of one connection to gpsd, without the connection: lines in, readings out.
package struct GpsdSession {
    private let address: GpsdAddress
    private(set) var isGreeted = false
    private var hasReceiver = false

    /// A fix is not current if its receiver's clock is further than this from ours, in milliseconds.
    static let timeApartMax: Int64 = 60_000

    package init(_ address: GpsdAddress) { self.address = address }

    /// The reason why there is no fix yet.
    package var fault: PositionFault {
        if !isGreeted { return .unreachable(address) }
        return hasReceiver ? .noFix : .noReceiver
    }

    /// - Parameter wallMilliseconds: this machine's clock, since 1970.
    /// - Returns: nil where the line changes nothing.
    /// - Throws: `notGpsd` when the first line is no greeting. A later bad line is skipped.
    package mutating func receive(_ line: [UInt8], wallMilliseconds: Int64) throws(PositionFault) -> Reading? {
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

    /// Every report is current: gpsd passes on what the receiver sends, and repeats nothing.
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
