import TourCrypto
import TourGossip
import TourGroup
import TourModel
import TourStore
import TourWire

/// What the giving of seats needs of the node around it. A tour is named by its id.
package protocol SeatsHost: Sendable {
    /// The clock that never steps.
    var now: Instant { get }
    /// Microseconds since 1970.
    var wallMicroseconds: Int64 { get }
    /// The addresses of this machine where others reach it, numeric.
    var addresses: [String] { get }
    /// Has phones find this machine by a name in the local network; nil: no more.
    /// - Parameter name: the first label; the domain is `local`.
    func announce(_ name: String?)
    /// - Throws: `no-tour`, `unknown-tour`, `ambiguous-name`.
    func tour(named name: String?) throws -> TourID
    /// - Returns: nil for a tour that this node does not have.
    func facts(of tour: TourID) -> SeatFacts?
    /// - Returns: nil for a setting that is not stored, or cannot be read.
    func setting(_ name: String) -> [UInt8]?
    /// - Parameter value: nil: removes the setting.
    func setSetting(_ name: String, _ value: [UInt8]?) throws
    /// The key of an epoch; nil: it is not here.
    func key(of epoch: EpochID, in tour: TourID) -> EpochKey?
    /// The epoch under whose key is sealed now; nil: there is none.
    func sendingEpoch(in tour: TourID) -> EpochID?
    /// The key to seal under now; waits for one.
    func sealingKey(in tour: TourID) async throws -> EpochKey
    /// Writes in our own log.
    func write(_ body: ControlBody, in tour: TourID) async throws
    /// Writes in our own log.
    func write(_ content: Content, in tour: TourID) async throws
    /// Ends a member's licences, and the membership of every guest whose key it knew.
    func endLicences(of member: MemberID, in tour: TourID) async throws
    /// Removes the guests whom we let in from then on, in milliseconds since 1970, all at once.
    /// - Throws: `not-allowed`, and why nothing can be written to the tour.
    func removeGuests(since milliseconds: Int64, from tour: TourID) async throws
    /// Makes the epoch that begins with a newcomer, if there is to be one.
    func beginEpoch(for newcomer: MemberID, in tour: TourID) async
    /// Where a log ends on the disk; nil while a part of it is on its way there.
    func tail(of member: MemberID, in tour: TourID) -> Author.Tail?
    /// The event at a place.
    func event(_ tour: TourID, of member: MemberID, at sequence: UInt64) -> Event?
    /// Whether a log has room for one more event of this class.
    func hasRoom(for event: Event, in tour: TourID) -> Bool
    /// Hands the replication a run of a guest. `NodeSeats.stored` follows if it is news, and sound.
    func deliver(_ run: Run, in tour: TourID)
    /// A message's picture is in the store for this event.
    func claim(_ blob: BlobID, for event: EventID, in tour: TourID) throws
    /// What a row of a guest is made of.
    func rowFacts(of member: MemberID, has: Frontier, read: LogicalClock, in tour: TourID) -> SeatRows.Facts?
    /// How much of a log a member says it has.
    func stated(by member: MemberID, of author: MemberID, in tour: TourID) -> UInt64
    /// Sends a row of a guest.
    func publish(_ claim: VerifiedClaim, in tour: TourID)
    /// Everything that this node has.
    func frontier(of tour: TourID) -> Frontier

    /// The name of the member who removed another one; nil: nobody did.
    func remover(of member: MemberID, in tour: TourID) -> String?
    /// A member by its name, or by the beginning of its id.
    func member(named name: String, in tour: TourID) throws -> MemberID
    /// Where an event stands in a guest's log; nil: it does not.
    func place(of id: String, as member: MemberID, in tour: TourID) -> UInt64?
    /// The newest plan that guides share; nil: none.
    func programme(of tour: TourID) async -> GuestProgramme?
    /// What an act says that is no picture.
    func content(of act: SeatAct, by member: MemberID, in tour: TourID) throws -> SeatContent
    /// Seals a picture into the store.
    func picture(
        _ path: String, caption: String, replyTo: String?, by member: MemberID, in tour: TourID
    ) async throws -> SeatContent
}
