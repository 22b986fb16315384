import TourRuntime

/// Why a call changed nothing.
public enum TourRefusal: Error, Hashable, Sendable {
    /// This device is in no tour of this id.
    case unknownTour
    /// The tour has no such message.
    case unknownMessage
    /// The tour is over, or this device is not in it any more.
    case notActive
    /// The member's rank does not allow that.
    case notAllowed
    /// A name is empty, longer than 128 bytes, or has control characters.
    case badName
    /// A text is empty, longer than 16 KiB, or has a zero byte.
    case badText
    /// A code is to end in the past, or is for no device, or for more than 4,294,967,295.
    case badTerms
    /// This device is in the tour already.
    case alreadyMember
    /// No key to write with is here yet, since somebody was removed: try again once members are linked.
    case waitsForKey
    /// This device is storing something else: try again.
    case busy
    /// This device's share of the tour is used up.
    case shareFull
    /// What is kept came from a copy, and others may hold more of what this device wrote: its log can be written once
    /// enough members have said what they hold; never, if another device wrote with the same key.
    case logUnsafe
    /// The connection's number is in use.
    case connectionInUse
    /// What is kept does not fit together.
    case damaged

    init(_ refusal: WriteRefusal) {
        switch refusal {
        case .ownLog: self = .logUnsafe
        case .busy: self = .busy
        case .shareFull: self = .shareFull
        }
    }
}
