import ServerBase
import ServerStorage
import TourModel
import TourNotebook

/// Which itineraries of a notebook have which stops, so that the itineraries of a deleted stop are found without
/// reading all of them. It owns the notebook's rows of `notebook_stops`.
struct StopUseRows {
    private let sql: any SQL
    private let account: Int64

    init(notebook: NotebookRows) { self.init(sql: notebook.sql, account: notebook.account) }

    private init(sql: any SQL, account: Int64) {
        self.sql = sql
        self.account = account
    }

    /// Records exactly the stops that the itinerary has now.
    func set(_ itinerary: NotebookRow) throws(Failure) {
        var named = Set<NotebookID>()
        if !itinerary.isDeleted, case .itinerary(let content) = try itinerary.content() {
            named = Set(content.stops.map(\.id))
        }
        let found = try sql.rows(
            "SELECT stop FROM notebook_stops WHERE account = $1 AND itinerary = $2",
            [.integer(account), .bytes(itinerary.id.bytes)])
        var before = Set<NotebookID>()
        for row in found { if let stop = NotebookID(try row.bytes(0)) { before.insert(stop) } }
        func keys(_ stops: Set<NotebookID>) -> [[SQLValue]] {
            stops.sorted().map { [.integer(account), .bytes($0.bytes), .bytes(itinerary.id.bytes)] }
        }
        try sql.run(
            "INSERT INTO notebook_stops (account, stop, itinerary) VALUES ($1, $2, $3)",
            each: keys(named.subtracting(before)))
        try sql.run(
            "DELETE FROM notebook_stops WHERE account = $1 AND stop = $2 AND itinerary = $3",
            each: keys(before.subtracting(named)))
    }

    /// The itineraries that have one of these stops.
    func itineraries(with stops: Set<NotebookID>) throws(Failure) -> Set<NotebookID> {
        var ids = Set<NotebookID>()
        for stop in stops {
            let found = try sql.rows(
                "SELECT itinerary FROM notebook_stops WHERE account = $1 AND stop = $2",
                [.integer(account), .bytes(stop.bytes)])
            for row in found { if let id = NotebookID(try row.bytes(0)) { ids.insert(id) } }
        }
        return ids
    }

    /// Of an account that is being deleted.
    func deleteAll() throws(Failure) {
        try sql.run("DELETE FROM notebook_stops WHERE account = $1", [.integer(account)])
    }

    /// Fills the table from itineraries that were written before it existed.
    static func fill(in sql: any SQL) throws(Failure) {
        var (account, id) = (Int64.min, [UInt8]())
        while true {
            let found = try sql.rows(
                """
                SELECT \(NotebookRow.columns), account FROM notebook
                WHERE (account, id) > ($1, $2) AND kind = $3 AND deleted = 0 ORDER BY account, id LIMIT $4
                """,
                [
                    .integer(account), .bytes(id), .text(NotebookKind.itinerary.rawValue),
                    .integer(Int64(ServerLimits.itemsReadAtOnce)),
                ])
            for row in found {
                let itinerary = try NotebookRow(row)
                (account, id) = (try row.integer(NotebookRow.columnCount), itinerary.id.bytes)
                try StopUseRows(sql: sql, account: account).set(itinerary)
            }
            guard found.count == ServerLimits.itemsReadAtOnce else { return }
        }
    }
}

extension NotebookRows {
    /// The itineraries that have one of these stops.
    func itineraries(with stops: Set<NotebookID>) throws(Failure) -> [NotebookRow] {
        let ids = try StopUseRows(notebook: self).itineraries(with: stops)
        var itineraries = [NotebookRow]()
        for id in ids.sorted() {
            guard let row = try row(id), !row.isDeleted else { continue }
            itineraries.append(row)
        }
        return itineraries
    }
}
