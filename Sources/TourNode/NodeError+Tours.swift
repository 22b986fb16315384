import TourModel
import TourWire

// Faults of tours, their members and the network.
extension NodeError {
    /// Why the node is not on the network as it was asked to be.
    package enum NetworkFault: Hashable, Sendable {
        /// None of the interfaces present has this name.
        case noInterface(String, present: [String])
        /// No address of a peer.
        case badPeer(String)
        /// The port is not available, with the system's `errno`.
        case port(UInt16, code: Int32)

        var code: String {
            switch self {
            case .noInterface: "no-interface"
            case .badPeer: "bad-peer"
            case .port: "port"
            }
        }
    }

    /// Why nobody let us into a tour.
    package enum JoinFault: Hashable, Sendable {
        /// The node is in this tour.
        case alreadyMember(String)
        /// There is no network to join by.
        case offline
        /// A newer attempt goes on instead.
        case replaced
        /// Nobody of the tour was found in time.
        case nobodyFound
        /// The node stopped first.
        case stopping
        /// Who answered does not belong to the tour of the code.
        case falseTour
        /// A member refused the code.
        case revoked, expired, usedUp, closed, full, invalid

        init(_ refusal: JoinRefusal) {
            self =
                switch refusal {
                case .revoked: .revoked
                case .expired: .expired
                case .usedUp: .usedUp
                case .closed: .closed
                case .full: .full
                case .invalid: .invalid
                }
        }

        var code: String {
            switch self {
            case .alreadyMember: "already-member"
            case .offline: "offline"
            case .replaced: "replaced"
            case .nobodyFound: "no-member-found"
            case .stopping: "stopping"
            case .falseTour: "false-tour"
            case .revoked: "revoked"
            case .expired: "expired"
            case .usedUp: "used-up"
            case .closed: "closed"
            case .full: "full"
            case .invalid: "invalid"
            }
        }
    }

    /// Why an invite, a role or a membership stays as it is.
    package enum MembershipFault: Hashable, Sendable {
        /// Uses that no invite has.
        case badInvite
        /// No invite's key starts with these digits.
        case unknownInvite(String)
        /// None of the roles that can be given.
        case badRole
        /// There is a successor, with this name.
        case hasSuccessor(String)
        /// Who wants to give a role ranks too low.
        case cannotGiveRole
        /// Who wants to remove somebody ranks too low.
        case cannotRemove
        /// Nobody can change its own role.
        case ownRole(isCreator: Bool)
        /// Nobody can remove itself.
        case ownRemoval(isCreator: Bool)
        /// Who made the tour cannot leave it.
        case creatorStays
        /// The server reads along in this tour.
        case hasArchive(String)
        /// No server reads along in this tour.
        case noArchive(String)

        var code: String {
            switch self {
            case .badInvite: "bad-invite"
            case .unknownInvite: "unknown-invite"
            case .badRole: "bad-role"
            case .hasSuccessor: "has-successor"
            case .cannotGiveRole, .cannotRemove: "not-allowed"
            case .ownRole, .ownRemoval: "yourself"
            case .creatorStays: "creator-stays"
            case .hasArchive: "has-archive"
            case .noArchive: "no-archive"
            }
        }
    }

    /// Why our key, our log or a copy of the data cannot be treated like that.
    package enum KeepingFault: Hashable, Sendable {
        /// The key lies in a plain file.
        case nothingToLock
        /// The key is being moved.
        case movingKey
        /// A passphrase without a character.
        case emptyPassphrase
        /// A backup without a passphrase.
        case backupWithoutPassphrase
        /// A backup's path that is not absolute.
        case badBackupPath
        /// Our log in this tour is whole.
        case notRecovering(String)
        /// The stored parts of a tour do not fit together.
        case damagedTour(TourID)

        var code: String {
            switch self {
            case .nothingToLock: "no-passphrase"
            case .movingKey: "busy"
            case .emptyPassphrase, .backupWithoutPassphrase: "passphrase-empty"
            case .badBackupPath: "bad-path"
            case .notRecovering: "not-recovering"
            case .damagedTour: "damaged-tour"
            }
        }
    }
}
