import TourAPI
import TourCrypto
import TourStore

/// How to run a node: options of the command line and the environment.
package struct NodeSettings: Sendable {
    /// Where the node keeps its data.
    package var dataDirectory: String
    /// A new display name; nil keeps the stored one.
    package var name: String?
    /// 0: the last port if it is free, else any.
    package var listenPort: UInt16 = 0
    /// `HOST:PORT` of nodes to dial, whether or not discovery finds them.
    package var peers: [String] = []
    /// Network interfaces to use for discovery; empty: all.
    package var interfaces: [String] = []
    /// Whether to announce and look for nodes by mDNS.
    package var usesMDNS = true
    /// Whether to send and receive multicast datagrams.
    package var usesMulticast = true
    /// The base URL of a new server to sync with; nil keeps the stored one, "off" forgets it.
    package var mailbox: String?
    /// A PEM file with the authorities that may have signed the server's certificate; nil: the system's authorities.
    package var mailboxAuthority: String?
    /// Opens a data directory that is sealed under a passphrase.
    private var passphrase: SecretBytes?
    /// `HOST:PORT` of gpsd; nil: its usual address.
    package var gpsd: String?
    /// How long the keys of a tour that is over for us are kept, in days.
    package var keyDays = 30
    /// Which files to fetch unasked; nil keeps the stored policy.
    package var filePolicy: FilePolicy?
    /// Whether to serve the page on this machine, and on which port.
    package var page: PagePlace = .off
    /// Where guests are let in; nil: the usual port, else the last one, else any.
    package var guestsPort: UInt16?
    /// By what guests are let in by https as well; nil: by http alone.
    package var guestsTLS: GuestsTLS?
    /// Opens no sockets to the network: for commands without a running node.
    package var isOffline = false

    package init() { dataDirectory = "" }

    /// Whether a passphrase was given.
    package var hasPassphrase: Bool { passphrase != nil }

    /// Takes ownership of the bytes: they are wiped with these settings, unless there are other copies.
    package mutating func setPassphrase(_ bytes: consuming [UInt8]?) {
        guard var own = bytes.take() else { return passphrase = nil }
        passphrase = SecretBytes(taking: &own)
    }

    /// Lends a copy of the passphrase, nil if there is none, and wipes the copy afterwards.
    package func withPassphrase<Result>(_ body: ([UInt8]?) throws -> Result) throws -> Result {
        guard let passphrase else { return try body(nil) }
        return try passphrase.withCopy { try body($0) }
    }

    /// Whether opening the data directory needs a passphrase that was not given.
    package var needsPassphrase: Bool { passphrase == nil && StorageKeyFile.isProtected(in: dataDirectory) }

    /// Whether the data directory belongs to a node.
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

    /// The settings to keep once the passphrase has served its purpose.
    package var withoutPassphrase: NodeSettings {
        var settings = self
        settings.passphrase = nil
        return settings
    }
}

/// By what the page for guests is served by https. Source: `Protocol/15-seats.md`, "By https".
package struct GuestsTLS: Hashable, Sendable {
    /// A PEM file: the certificate, and those behind it.
    package var certificate: String
    /// A PEM file: the certificate's private key.
    package var key: String
    /// The name in links to the page; nil: the certificate's first one that is no wildcard.
    package var name: String?
    /// Where the page is served; nil: at the usual port, else at any.
    package var port: UInt16?

    package init(certificate: String, key: String, name: String? = nil, port: UInt16? = nil) {
        self.certificate = certificate
        self.key = key
        self.name = name
        self.port = port
    }
}

/// Where the page is served.
package enum PagePlace: Hashable, Sendable {
    case off
    /// On the last port if it is free, else on any free one.
    case last
    /// 0: any free port.
    case port(UInt16)
}
