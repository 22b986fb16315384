import TourModel

/// Errors of the data directory. They contain no names, messages or keys, and no path but one that the user gave.
package enum StoreError: Fault, Equatable {
    /// Another process holds the data directory; nil when it left no process id.
    case inUse(pid: Int32?)
    /// The disk is full; nothing of the refused call was stored.
    case diskFull
    /// The directory or its file system cannot be written.
    case readOnly
    /// The path is a symbolic link, not a directory, or another user's.
    case notOurs
    /// The directory contains files, but none of a node.
    case foreign
    /// The storage key is protected and no passphrase was given.
    case passphraseNeeded
    /// The passphrase does not open the storage key, or the backup.
    case passphraseWrong
    /// The storage key is in a keyring, not here.
    case keyElsewhere
    /// The storage key was destroyed, and the data sealed under it is about to go.
    case wiped
    /// A backup can only be restored into an empty data directory.
    case notEmpty
    /// The user's path is no file that can be read or written.
    case badPath(String, PathTrouble)
    /// A file has other contents than this program wrote.
    case damaged(Damage)
    /// The database file cannot be opened: it is a directory, for example, or unreadable.
    case cannotOpen
    /// The database was written by a later version of this program.
    case newer
    /// An event does not follow its author's stored log: nothing of the batch was stored.
    case chainBroken(author: MemberID, sequence: UInt64)
    /// Another program holds the database's own lock.
    case busy
    /// The store was closed before the call.
    case closed
    /// There is no room for more files, and none of the present ones may be evicted.
    case noRoom(Shortage)
    /// A file, or a part of it, is not here.
    case blobMissing
    /// The file matches its hash, but its key does not open it: its author sealed it wrongly.
    case sealBroken
    /// The notebook has an item of another kind under this id, or none.
    case notThisKind
    /// The item of the notebook has changed since it was read.
    case changedMeanwhile
    /// The caller no longer wants the result.
    case cancelled
    /// Any other failure, with the system's `errno` or SQLite's extended result code.
    case io(code: Int32)

    /// The fault of a path.
    package enum PathTrouble: Sendable {
        /// Faults of paths in general.
        case noFile, noDirectory, isDirectory, notDirectory, noPermission, readOnly, badName
        /// Faults of files to send or save.
        case notRegular, tooLong, hasChanged, nameTaken
    }

    /// The quota that files have used up.
    package enum Shortage: String, Sendable {
        /// The tour's; the author's; the disk's; the notebook's.
        case tour, author, disk, notebook
    }

    /// The damaged file.
    package enum Damage: String, Sendable {
        /// SQLite's file, or a value in it that does not open or parse.
        case database
        /// The storage key's file does not parse.
        case keyFile = "key-file"
        /// There is a database, but its key is missing.
        case keyMissing = "key-missing"
        /// The storage key is not the one that sealed this database.
        case keyMismatch = "key-mismatch"
        /// A backup, or a file given as one.
        case backup
        /// A part of a stored file.
        case blob
    }

    package var scope: FaultScope {
        switch self {
        case .chainBroken, .badPath, .noRoom, .blobMissing, .sealBroken, .notThisKind, .changedMeanwhile,
            .cancelled, .damaged(.blob):
            .record
        default: .node
        }
    }

    package var code: String { told.code }
    package var english: String { told.english }

    private var told: (code: String, english: String) {
        switch self {
        case .inUse(.some(let pid)): ("store-in-use", "another node (process \(pid)) holds the data directory")
        case .inUse(nil): ("store-in-use", "another node holds the data directory")
        case .diskFull: ("disk-full", "the disk is full")
        case .readOnly: ("store-read-only", "the data directory cannot be written")
        case .notOurs: ("store-not-ours", "the data directory is a link, no directory, or another user's")
        case .foreign: ("store-foreign", "the directory holds other files")
        case .passphraseNeeded: ("passphrase-needed", "the storage key is protected by a passphrase")
        case .passphraseWrong: ("passphrase-wrong", "the passphrase does not open the storage key")
        case .keyElsewhere: ("key-elsewhere", "the storage key lies in a keyring")
        case .wiped: ("wiped", "the storage key was destroyed")
        case .notEmpty: ("store-not-empty", "the data directory is not empty")
        case .badPath(let path, let trouble): ("bad-path", "\(path): no usable file (\(trouble))")
        case .damaged(let damage): ("store-damaged-\(damage.rawValue)", "damaged: \(damage.rawValue)")
        case .cannotOpen: ("store-cannot-open", "the database cannot be opened")
        case .newer: ("store-newer", "the database was written by a later version")
        case .chainBroken(let author, let sequence):
            ("chain-broken", "event \(sequence) of \(author.description) does not follow the stored log")
        case .busy: ("store-busy", "another program holds the database")
        case .closed: ("store-closed", "the store is closed")
        case .noRoom(let shortage): ("no-room-\(shortage.rawValue)", "no room for more files (\(shortage.rawValue))")
        case .blobMissing: ("blob-missing", "the file, or a part of it, is not here")
        case .sealBroken: ("decryption-failed", "the file's key does not open it")
        case .notThisKind: ("not-this-kind", "the notebook has no such item of this kind")
        case .changedMeanwhile: ("item-changed", "the item has changed since it was read")
        case .cancelled: ("cancelled", "cancelled")
        case .io(let code): ("store-io", "the data directory cannot be used (code \(code))")
        }
    }
}
