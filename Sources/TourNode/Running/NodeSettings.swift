import TourCrypto
import TourStore

/// How a node is to run: what the command line and the environment said.
package struct NodeSettings: Sendable {
    package var dataDirectory: String
    /// The display name to take from now on; nil keeps the stored one.
    package var name: String?
    /// 0: the last one if it is free, else any.
    package var listenPort: UInt16 = 0
    /// `HOST:PORT` of nodes to dial whatever discovery says.
    package var peers: [String] = []
    /// Network interfaces for discovery; empty: all.
    package var interfaces: [String] = []
    package var usesMDNS = true
    package var usesMulticast = true
    /// The base of the server to sync with from now on; nil keeps the stored one, "off" forgets it.
    package var mailbox: String?
    /// A PEM file with the certificates of the authorities that the server's is signed by; nil: the system's.
    package var mailboxAuthority: String?
    /// Opens a data directory that is sealed under a passphrase.
    private var passphrase: SecretBytes?
    /// `HOST:PORT` of gpsd; nil: its usual place.
    package var gpsd: String?
    /// How long the keys of a tour that is over for us are kept, in days.
    package var keyDays = 30
    /// Which files to fetch unasked from now on; nil keeps what was said last.
    package var filePolicy: FilePolicy?
    /// Whether there is a page on this machine, and where.
    package var page: PagePlace = .off
    /// No sockets to the network: for commands without a running node.
    package var isOffline = false

    package init() { dataDirectory = "" }

    package var hasPassphrase: Bool { passphrase != nil }

    /// Takes the bytes over: they are wiped when these settings go, as far as nobody else has a copy.
    package mutating func setPassphrase(_ bytes: consuming [UInt8]?) {
        guard var own = bytes.take() else { return passphrase = nil }
        passphrase = SecretBytes(taking: &own)
    }

    /// Lends a copy of the passphrase, nil if there is none; it is wiped afterwards.
    package func withPassphrase<Result>(_ body: ([UInt8]?) throws -> Result) throws -> Result {
        guard let passphrase else { return try body(nil) }
        return try passphrase.withCopy { try body($0) }
    }

    /// Whether the data directory does not open with what is given here.
    package var needsPassphrase: Bool { passphrase == nil && StorageKeyFile.isProtected(in: dataDirectory) }

    /// Whether a node has begun in the data directory.
    package var holdsNode: Bool { DataDirectory.contents(of: dataDirectory) == .node }

    /// - Throws: `StoreError` when the data directory holds other files, and none of a node.
    package func checkDirectory() throws {
        guard DataDirectory.contents(of: dataDirectory) != .foreign else { throw StoreError.foreign }
    }

    /// - Throws: `StoreError` when a backup cannot be restored into the data directory.
    package func checkEmpty() throws {
        try checkDirectory()
        guard !holdsNode else { throw StoreError.notEmpty }
    }

    /// What is kept once the passphrase has done its work.
    package var withoutPassphrase: NodeSettings {
        var settings = self
        settings.passphrase = nil
        return settings
    }
}

/// Where the page is served.
package enum PagePlace: Hashable, Sendable {
    case off
    /// Where it was last, if that is free, else on any free port.
    case last
    /// 0: any free one.
    case port(UInt16)
}
