import TourGossip
import TourModel
import TourWire

/// What the sharing of a position needs of the node around it. A tour is named by its id, so that nothing here keeps
/// one that was left.
package protocol PlacesHost {
    /// The clock that never steps.
    var now: Instant { get }
    /// Microseconds since 1970.
    var wallMicroseconds: Int64 { get }
    /// Whether anything may be asked of the receiver: not without a network, or while the node stops.
    var isOnline: Bool { get }
    /// Whether the node was started with a receiver's address, and reads it also while nothing is shared.
    var hasReceiver: Bool { get }

    /// Reads the receiver. `OwnPosition.receive` follows for each reading, until the task is cancelled.
    /// - Returns: nil where the receiver's address is none.
    func beginReading() -> Task<Void, Never>?
    /// - Returns: nil for a tour that this node does not have.
    func facts(of tour: TourID) -> PlacesFacts?
    /// Our member's signature.
    func sign(_ digest: [UInt8], in tour: TourID) -> [UInt8]?
    /// Sends a row of ours to the tour.
    func publish(_ position: VerifiedPosition, in tour: TourID)
    /// - Returns: nil for a setting that is not stored, or cannot be read.
    func setting(_ name: String) -> [UInt8]?
    /// - Parameter value: nil: removes the setting.
    /// - Throws: `NodeError`, with the code of a `StoreError`.
    func setSetting(_ name: String, _ value: [UInt8]?) throws
    /// Counts a fault.
    func count(_ fault: any Fault)
}

extension PlacesHost {
    /// Milliseconds since 1970.
    var wallMilliseconds: Int64 { wallMicroseconds / 1_000 }
}

/// One tour, as the sharing of a position sees it.
package struct PlacesFacts: Sendable {
    /// Our id in the tour.
    package var own: MemberID
    /// Whether it can be written to here.
    package var isActive: Bool

    package init(own: MemberID, isActive: Bool) {
        self.own = own
        self.isActive = isActive
    }
}
