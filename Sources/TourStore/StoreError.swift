import TourModel
import TourWords

/// Errors of the data directory. Texts advise what to do; they contain no names, messages or keys, and no path but one
/// that the user gave.
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

        /// The text for people.
        package var phrase: Phrase {
            switch self {
            case .noFile: Phrase("there is no such file")
            case .noDirectory: Phrase("there is no such directory")
            case .isDirectory: Phrase("this is a directory: name a file in it")
            case .notDirectory: Phrase("a part of this path is a file and no directory")
            case .noPermission: Phrase("permission denied")
            case .readOnly: Phrase("this disk cannot be written: it is mounted read-only")
            case .badName: Phrase("this name is too long, or goes by links in a circle")
            case .notRegular: Phrase("this is no file that can be sent: a device, a pipe or a socket")
            case .tooLong: Phrase("this file is too long: at most 1 GiB can be sent")
            case .hasChanged: Phrase("this file changed while it was read: try again when nobody writes to it")
            case .nameTaken: Phrase("there are too many files of this name: name another directory")
            }
        }
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

    package var code: String {
        switch self {
        case .inUse: "store-in-use"
        case .diskFull: "disk-full"
        case .readOnly: "store-read-only"
        case .notOurs: "store-not-ours"
        case .foreign: "store-foreign"
        case .passphraseNeeded: "passphrase-needed"
        case .passphraseWrong: "passphrase-wrong"
        case .keyElsewhere: "key-elsewhere"
        case .wiped: "wiped"
        case .notEmpty: "store-not-empty"
        case .badPath: "bad-path"
        case .damaged(let damage): "store-damaged-\(damage.rawValue)"
        case .cannotOpen: "store-cannot-open"
        case .newer: "store-newer"
        case .chainBroken: "chain-broken"
        case .busy: "store-busy"
        case .closed: "store-closed"
        case .noRoom(let shortage): "no-room-\(shortage.rawValue)"
        case .blobMissing: "blob-missing"
        case .sealBroken: "decryption-failed"
        case .notThisKind: "not-this-kind"
        case .changedMeanwhile: "item-changed"
        case .cancelled: "cancelled"
        case .io: "store-io"
        }
    }

    package var phrase: Phrase {
        switch self {
        case .inUse(.some(let pid)):
            Phrase("another tour-chat (process \(pid)) uses this data directory: stop it, or name another directory")
        case .inUse(nil): Phrase("another tour-chat uses this data directory: stop it, or name another directory")
        case .diskFull: Phrase("the disk is full, nothing was stored: free some space and try again")
        case .readOnly:
            Phrase("the data directory cannot be written: check its permissions and how its disk is mounted")
        case .notOurs: Phrase("the data directory is a link, no directory, or another user's: name one that is yours")
        case .foreign: Phrase("the directory holds other files, and no node of tour-chat: name an empty or a new one")
        case .passphraseNeeded: Phrase("the storage key is protected: give the passphrase")
        case .passphraseWrong: Phrase("the passphrase does not open it")
        case .keyElsewhere: Phrase("the storage key lies in the keyring of its user: log in")
        case .wiped: Phrase("everything here was destroyed")
        case .notEmpty: Phrase("the data directory is in use for other tours: name an empty or a new one")
        case .badPath(let path, let trouble): Phrase("\(path): \(trouble.phrase)")
        case .damaged(let damage): Self.advice(damage)
        case .cannotOpen:
            Phrase("the database cannot be opened: tour.sqlite in the data directory is no file that you may read")
        case .newer: Phrase("the database was written by a later version: update tour-chat")
        case .chainBroken(let author, let sequence):
            Phrase(
                """
                event \(sequence) of \(author.description) does not follow the stored log: nothing of the batch \
                was stored
                """)
        case .busy: Phrase("another program holds the database: close it and try again")
        case .closed: Phrase("the store is closed")
        case .noRoom(let shortage): Self.advice(shortage)
        case .blobMissing:
            Phrase("the file is not here, or not all of it: it comes when somebody who has it is in reach")
        case .sealBroken: Phrase("the file cannot be opened: whoever sent it sealed it wrongly")
        case .notThisKind: Phrase("the notebook has something else there, or nothing")
        case .changedMeanwhile: Phrase("it was changed meanwhile, here or on another device: look at it and try again")
        case .cancelled: Phrase("it was ended before it was done")
        case .io(let code): Phrase("the data directory cannot be used (code \(code)): check the disk")
        }
    }

    private static func advice(_ damage: Damage) -> Phrase {
        switch damage {
        case .database:
            Phrase("the database is damaged: move it away and join the tours again, or restore the directory")
        case .keyFile: Phrase("the file of the storage key is damaged: restore it from a copy")
        case .keyMissing:
            Phrase("the storage key is gone: restore storage.key, or move the database away and join again")
        case .backup: Phrase("the backup is damaged, cut short, or no backup: take another copy of it")
        case .keyMismatch: Phrase("the storage key is not this database's: restore the storage.key that belongs to it")
        case .blob: Phrase("a part of the file was damaged on the disk: it is fetched again")
        }
    }

    private static func advice(_ shortage: Shortage) -> Phrase {
        switch shortage {
        case .tour: Phrase("the files of this tour have used up their room: remove some, or give them more")
        case .author: Phrase("the files of this member have used up their room: ask for this one by itself")
        case .disk: Phrase("the disk is nearly full: free some space and try again")
        case .notebook: Phrase("the notebook, or this place's pictures, take no more: remove some first")
        }
    }
}
