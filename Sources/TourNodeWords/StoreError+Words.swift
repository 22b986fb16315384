import TourModel
import TourPresentation
import TourStore
import TourWords

extension StoreError: SpokenFault {
    package func phrase(on surface: any Surface) -> Phrase {
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

    package var advice: Advice? {
        switch self {
        case .inUse: .endOther
        case .notEmpty: .emptyDirectory
        case .passphraseNeeded: .givePassphrase
        case .passphraseWrong: .retypePassphrase
        case .noRoom(.tour), .noRoom(.author), .noRoom(.disk): .makeRoom
        case .changedMeanwhile: .showItem
        case .noRoom(.notebook), .diskFull, .readOnly, .notOurs, .foreign, .keyElsewhere, .wiped, .badPath, .damaged,
            .cannotOpen, .newer, .chainBroken, .busy, .closed, .blobMissing, .sealBroken, .notThisKind, .cancelled, .io:
            nil
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

extension StoreError.PathTrouble {
    fileprivate var phrase: Phrase {
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
