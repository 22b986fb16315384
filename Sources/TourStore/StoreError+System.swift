import GRDB
import Glibc

extension StoreError {
    /// The error for `errno` after a failed system call.
    init(errno code: Int32) {
        self =
            switch code {
            case ENOSPC, EDQUOT, EFBIG: .diskFull
            case EROFS, EACCES, EPERM: .readOnly
            case ELOOP, ENOTDIR: .notOurs
            case EISDIR: .cannotOpen
            default: .io(code: code)
            }
    }

    /// The same for the data directory itself, at the user's path.
    init(errno code: Int32, directory path: String) {
        self =
            switch code {
            case ENOENT: .badPath(path, .noDirectory)
            case ENAMETOOLONG: .badPath(path, .badName)
            default: StoreError(errno: code)
            }
    }

    /// The same for a file named by the user that is being created.
    init(errno code: Int32, writing path: String) {
        self = Self.trouble(code, isNew: true).map { StoreError.badPath(path, $0) } ?? StoreError(errno: code)
    }

    /// The same for a file named by the user that is being read.
    init(errno code: Int32, reading path: String) {
        self = Self.trouble(code, isNew: false).map { StoreError.badPath(path, $0) } ?? StoreError(errno: code)
    }

    private static func trouble(_ code: Int32, isNew: Bool) -> PathTrouble? {
        switch code {
        case ENOENT: isNew ? .noDirectory : .noFile
        case EISDIR: .isDirectory
        case ENOTDIR: .notDirectory
        case EACCES, EPERM: .noPermission
        case EROFS: .readOnly
        case ELOOP, ENAMETOOLONG: .badName
        default: nil
        }
    }

    /// The error for whatever a database access threw; our own errors pass unchanged.
    init(database error: any Error) {
        if let error = error as? StoreError {
            self = error
        } else if let error = error as? DatabaseError {
            self.init(sqlite: error)
        } else {
            self = .damaged(.database)
        }
    }

    private init(sqlite error: DatabaseError) {
        switch error.extendedResultCode {
        case .SQLITE_IOERR_SHMSIZE:
            // SQLite sets the shared-memory file to its full length before mapping it: this is a full disk.
            self = .diskFull
            return
        default: break
        }
        self =
            switch error.resultCode {
            case .SQLITE_FULL: .diskFull
            case .SQLITE_READONLY, .SQLITE_PERM, .SQLITE_AUTH: .readOnly
            case .SQLITE_CORRUPT, .SQLITE_NOTADB, .SQLITE_SCHEMA: .damaged(.database)
            case .SQLITE_BUSY, .SQLITE_LOCKED: .busy
            case .SQLITE_MISUSE: .closed
            case .SQLITE_CANTOPEN: .cannotOpen
            default: .io(code: error.extendedResultCode.rawValue)
            }
    }
}
