/// The progress of sealing under a new key.
package struct KeyStep: Encodable, JSONObject {
    /// `progress`, or `done` at the end.
    package enum Kind: String, Encodable, JSONReadable {
        case progress, done
    }

    package var event: Kind
    /// In percent.
    package var percent: Int
    /// The key's new place, at the end.
    package var storageKey: String?
}

/// The place of the storage key after a change.
package struct KeyState: Encodable, JSONObject {
    /// `file`, `passphrase` or `keyring`.
    package var storageKey: String
}

/// The progress of a backup.
package struct BackupStep: Encodable, JSONObject {
    /// `progress`, or `done` at the end.
    package enum Kind: String, Encodable, JSONReadable {
        case progress, done
    }

    package var event: Kind
    /// In percent.
    package var percent: Int
    /// Where the backup is written.
    package var path: String
}
