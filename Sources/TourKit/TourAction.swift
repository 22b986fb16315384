/// Something that the app is to do. `TourDevice.drainActions` returns them after each call.
///
/// Carry them out in this order, each before the next: a message leaves the device only once it is kept, since one that
/// was sent and then lost would be written twice, and other devices take that for a second writer.
public enum TourAction: Hashable, Sendable {
    /// Write these bytes to a connection, behind all that was written before. Once the system has taken them, call
    /// `TourDevice.written(_:at:)`, once for each write: until then little more follows. If a write fails, go on with
    /// the other actions, and call `TourDevice.closed` behind them.
    case write(Connection, [UInt8])
    /// Close a connection once everything before was written, or after a second. `TourDevice.closed` need not follow.
    case close(Connection)
    /// Read from a connection, or stop reading: the peer is to wait while this device is behind.
    case read(Connection, Bool)
    /// Keep these records on the disk, all or none. If that fails, carry out nothing that follows: close all
    /// connections, and start anew from what is kept.
    case keep([KeptRecord])
    /// Something that people may see has changed.
    case notice(TourNotice)
}

/// A value to be kept under a key: in a file, a row of a database, or the system's key store.
public struct KeptRecord: Hashable, Sendable {
    /// At most 200 letters of a…z, 0…9, `-` and `/`. The part before the first `/` names the tour.
    public let key: String
    /// An event has at most some 64 KiB, other values mostly less than 1 KiB; nil: remove what is kept under the key.
    public let value: [UInt8]?
    /// Whether the value lets its reader into the tour, or write as this member: keep it encrypted. All other values
    /// are sealed, or no secret.
    public let isSecret: Bool

    init(_ key: String, _ value: [UInt8]?, isSecret: Bool = false) {
        self.key = key
        self.value = value
        self.isSecret = isSecret
    }
}

/// What has changed.
public enum TourNotice: Hashable, Sendable {
    /// This device was let into a tour by a code.
    case joined(TourIdentifier, JoinCode)
    /// A member answered that this device cannot come in, for this reason. For `expired` another member may answer
    /// otherwise, since clocks differ.
    case refused(JoinCode, JoinRefused)
    /// A message is new here: written by this device, arrived, or readable since its key arrived.
    case message(TourIdentifier, TourMessage)
    /// Messages have come further, or were withdrawn: ask for them again.
    case statuses(TourIdentifier)
    /// Names, ranks or who belongs to the tour have changed.
    case members(TourIdentifier)
    /// A connection leads to a member of the tour now.
    case linked(TourIdentifier, MemberIdentifier, Connection)
    /// A connection has ended, for this reason: a code of the specification's Failures, for logs; nil: orderly, as when
    /// its keys were used long enough. The side that dialled dials again.
    case ended(Connection, String?)
    /// Another device writes with this device's key: restore no copy of what was kept beside the original.
    case copied(TourIdentifier)
}

/// Why a member refused a code. Source: `Protocol/07-joining.md`.
public enum JoinRefused: String, Hashable, Sendable {
    /// A guide ended the code.
    case revoked
    /// The code's time is over.
    case expired
    /// Everybody for whom the code was made has joined.
    case usedUp = "used-up"
    /// The tour is over.
    case closed
    /// The tour has as many members as it can have.
    case full
    /// The tour does not know the code, or this device was in the tour before.
    case invalid
    /// The answer came from no member of the tour that the code names.
    case falseTour = "false-tour"
}
