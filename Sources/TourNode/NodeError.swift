import TourModel
import TourStore

/// Why the node refuses or fails a request. Each surface has its own words for it, in `TourPresentation`.
package enum NodeError: Fault, Equatable {
    /// No tour was made or entered yet.
    case noTour
    /// No tour has this name, or an id that starts with it.
    case unknownTour(String)
    /// More than one thing fits the words of the user.
    case ambiguous(String, [String])
    /// Nobody in the tour has this name, or an id that starts with it.
    case unknownMember(String)
    /// Only who leads may do that.
    case notAllowed
    /// A name that is no name.
    case badName
    /// A null character, which no event may contain.
    case nullInText
    /// A time until it expires that is out of bounds.
    case badExpiry
    /// The last write failed.
    case busy
    /// No server is set.
    case noMailbox

    /// Nothing can be written to this tour.
    case notActive
    /// Its guide closed this tour.
    case closed(String)
    /// The user left this tour.
    case left(String)
    /// Somebody removed the user from this tour.
    case removed(String)
    /// Another device writes in this tour with our key.
    case forked(String)
    /// The user gave up the key in this tour.
    case retired(String)
    /// The data is a copy: so many members of those needed have said what they hold of our log.
    case recovering(String, heard: Int, needed: Int)
    /// Somebody was removed from this tour, and the new key is not here yet.
    case waitsForKey(String)
    /// No message fits our share of this tour any more.
    case shareFull(String)
    /// Leading has a share of its own, which others use up too, by joining and leaving.
    case guidingFull(String)
    /// The event would be larger than any node accepts.
    case eventTooLarge

    /// Network interfaces, ports and addresses.
    case network(NetworkFault)
    /// Joining a tour.
    case join(JoinFault)
    /// Asking to be let in.
    case asking(AskingFault)
    /// Guests' seats.
    case seat(SeatFault)
    /// Invites, roles and memberships.
    case membership(MembershipFault)
    /// Messages and alarms.
    case message(MessageFault)
    /// Roll calls.
    case roll(RollFault)
    /// Positions and meeting points.
    case place(PlaceFault)
    /// The files of a tour.
    case file(FileFault)
    /// The user's notebook.
    case notebook(NotebookTrouble)
    /// What guides share of their notebooks.
    case shared(SharedFault)
    /// The storage key, backups and our own log.
    case keeping(KeepingFault)

    /// The request was sound; the store itself refused it.
    case store(StoreError)
    /// A failure while something was stored that no part of ours describes.
    case storing(String)
}

extension NodeError {
    /// Why a request failed while something was read or written: what it was refused with, or the store's own fault.
    init(storing error: any Error) {
        self =
            switch error {
            case let error as NodeError: error
            case let error as StoreError: .store(error)
            default: .storing(String(describing: error))
            }
    }

    /// `record`: only the request fails; `node`: the node's own disk or data is in trouble.
    package var scope: FaultScope {
        switch self {
        case .file(let fault): fault.scope
        case .notebook(.unattachable(let error, _)): error.scope
        case .keeping(.damagedTour), .store, .storing: .node
        default: .record
        }
    }

    /// For logs: what the store says of itself, else the code alone.
    package var english: String {
        switch self {
        case .store(let error): error.english
        case .storing(let reason): "store: \(reason)"
        default: "\(code) (\(scope.rawValue))"
        }
    }

    /// A stable name of the fault, as answers and commands spell it.
    package var code: String {
        switch self {
        case .noTour: "no-tour"
        case .unknownTour: "unknown-tour"
        case .ambiguous: "ambiguous"
        case .unknownMember: "unknown-member"
        case .notAllowed: "not-allowed"
        case .badName: "bad-name"
        case .nullInText: "bad-text"
        case .badExpiry: "bad-expiry"
        case .busy: "busy"
        case .noMailbox: "no-mailbox"
        case .notActive, .closed, .left: "not-active"
        case .removed: "removed"
        case .forked: "key-forked"
        case .retired: "key-retired"
        case .recovering: "recovering"
        case .waitsForKey: "waiting-for-key"
        case .shareFull, .guidingFull: "share-full"
        case .eventTooLarge: "too-large"
        case .network(let fault): fault.code
        case .join(let fault): fault.code
        case .asking(let fault): fault.code
        case .seat(let fault): fault.code
        case .membership(let fault): fault.code
        case .message(let fault): fault.code
        case .roll(let fault): fault.code
        case .place(let fault): fault.code
        case .file(let fault): fault.code
        case .notebook(let fault): fault.code
        case .shared(let fault): fault.code
        case .keeping(let fault): fault.code
        case .store(let error): error.code
        case .storing: "store"
        }
    }
}
