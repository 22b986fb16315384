import ServerBase
import ServerRequests
import TourModel
import TourNotebook

extension PageRequest {
    /// A page of a notebook: it has more rows than a page of other lists, since many clients ask for no second page.
    static func ofItems(_ call: Call) throws(Failure) -> PageRequest {
        try PageRequest(call, rowsMax: ServerLimits.itemRowsMax)
    }

    /// The cursor's place: the time of creation in seconds since 1970, and the id within that second.
    var notebookPlace: (created: Int64, id: [UInt8]) {
        let key = cursor.prefix(24) + [UInt8](repeating: 0, count: max(0, 24 - cursor.count))
        let created = key.prefix(8).reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        return (Int64(bitPattern: created) ^ .min, Array(key.dropFirst(8)))
    }
}

extension NotebookRow {
    /// The item's key among those of its kind, which never changes. Times before 1970 come first.
    var pageKey: [UInt8] { .pageKey(created ^ .min, id.bytes) }
}
