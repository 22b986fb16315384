import FuzzSupport

/// The harnesses of a whole node, and of what it asks of a server.
package enum NodeTarget: String, FuzzTarget {
    case server
    case localRequests = "local-requests"
    case backup
    case storedData = "stored-data"
    case guestRequest = "guest-request"

    package func run(_ bytes: [UInt8]) {
        switch self {
        case .server: ServerHarness.run(bytes)
        case .localRequests: LocalRequestHarness.run(bytes)
        case .backup: BackupHarness.run(bytes)
        case .storedData: StoredDataHarness.run(bytes)
        case .guestRequest: GuestRequestHarness.run(bytes)
        }
    }
}
