import Foundation
import GRDB
import Glibc
import Synchronization
import TourCrypto
import TourModel

/// Everything that a node stores: one SQLite database in write-ahead mode. Calls may come from any thread; each blocks
/// until it is done, writers one after the other, readers beside them.
///
/// Names, private keys and opaque state are sealed under the storage key with (table, row key, column) as associated
/// data, so that no value opens in another place. Events are already sealed by their tour's keys. A call that throws
/// has changed nothing, except `removeTour`.
package final class TourStore: Sendable {
    /// The most remembered addresses of one tour.
    package static let addressesMax = 64

    let directory: DataDirectory
    /// Changes only while nobody else reads or writes: see `renewKey`. So all sealing and opening of one call, inside
    /// its read or write, uses one key.
    let storageKey: Mutex<SecretBytes>
    private let decode: @Sendable ([UInt8], EventID) -> Event?
    let pool: DatabasePool
    private let lastReading = Mutex<Int64>(0)
    /// Whether the writing connection waits for the disk at each commit; nil until the first write.
    private let isWriterDurable = Mutex<Bool?>(nil)
    private let writers = Atomic(0)
    /// One backup at a time: the copy of the database has one name.
    let isBackingUp = Mutex(false)
    let commitTimes = Mutex(CommitTimes())
    let logEnds = Mutex<[TourID: LogEnds]>([:])
    /// The length of the log's file when it was last lengthened; another length means that commits need room.
    let logRoomEnd = Mutex(0)
    let blobDirectory: BlobDirectory
    let openBlobs = OpenBlobs()

    /// Opens the database, creating or migrating it, and writes once: a full disk or a read-only directory shows here
    /// and not at the first message.
    ///
    /// - Parameter storageKey: 32 bytes, from `StorageKeyFile.open`.
    /// - Parameter decode: makes an event from its exact bytes and id; nil means that the database is damaged.
    package init(
        directory: DataDirectory, storageKey: SecretBytes,
        decode: @escaping @Sendable (_ bytes: [UInt8], _ id: EventID) -> Event?
    ) throws(StoreError) {
        self.directory = directory
        self.storageKey = Mutex(storageKey)
        self.decode = decode
        blobDirectory = BlobDirectory(in: directory.path)
        // An interrupted backup leaves a copy of the database of that time, including keys that were wiped since.
        Self.removeSnapshot(of: directory)
        // SQLite gives its log and index the database's mode.
        Glibc.close(try PrivateFile.open(directory.database, flags: O_RDWR | O_CREAT))
        do {
            pool = try DatabasePool(path: directory.database, configuration: Self.configuration)
            let migrator = StoreSchema.migrator
            guard try !pool.read(migrator.hasBeenSuperseded) else { throw StoreError.newer }
            try migrator.migrate(pool)
        } catch {
            throw StoreError(database: error)
        }
        try write(durable: true) { db in
            try db.execute(sql: "UPDATE meta SET starts = starts + 1")
            try Self.prepareAppend(db)
        }
        try checkStorageKey()
        // Messages do not wait for this: another start tidies what remains.
        try? tidyBlobs()
    }

    static var configuration: Configuration {
        var configuration = Configuration()
        configuration.label = "TourStore"
        configuration.foreignKeysEnabled = false
        configuration.busyMode = .timeout(5)
        configuration.maximumReaderCount = 4
        configuration.prepareDatabase { db in
            // Deleted content is overwritten; sorting never spills into a file elsewhere. A checkpoint runs every 16
            // MiB of log, about every 15,000 messages, and truncates the log to that.
            try db.execute(
                sql: """
                    PRAGMA secure_delete = ON;
                    PRAGMA temp_store = MEMORY;
                    PRAGMA trusted_schema = OFF;
                    PRAGMA wal_autocheckpoint = 4096;
                    PRAGMA journal_size_limit = \(logBytesMax);
                    PRAGMA cache_size = \(db.configuration.readonly ? -2048 : -16384);
                    """)
        }
        return configuration
    }

    /// Distinguishes a database and key that do not belong together from damage.
    private func checkStorageKey() throws(StoreError) {
        do {
            guard try setting(Self.keyCheck) == nil else { return }
        } catch .damaged {
            throw .damaged(.keyMismatch)
        }
        try setSetting(Self.keyCheck, value: [1])
    }

    /// A setting that every store has, and that opens only with its key.
    static let keyCheck = "storage-key-check"

    /// How far a checkpoint goes.
    package enum Checkpoint: Sendable {
        /// As far as readers allow; writers wait meanwhile.
        case beside
        /// Waits for readers, and empties the log.
        case whole
    }

    /// Moves the write-ahead log into the database, and synchronises.
    package func checkpoint(_ kind: Checkpoint) throws(StoreError) {
        do {
            try writing { db in _ = try db.checkpoint(kind == .whole ? .truncate : .passive) }
        } catch {
            throw StoreError(database: error)
        }
    }

    /// Returns caches and freed memory to the system. Later calls fill the caches again.
    package func releaseMemory() {
        pool.releaseMemory()
        _ = Self.trimHeap?(0)
    }

    /// `malloc_trim` of glibc, which Swift's module omits; another C library may lack it.
    private static let trimHeap: (@convention(c) (Int) -> CInt)? = dlsym(nil, "malloc_trim").map {
        unsafeBitCast($0, to: (@convention(c) (Int) -> CInt).self)
    }

    /// Waits for the calls in progress; later ones throw `closed`. The directory stays locked until the last references
    /// to it and to this store are released.
    package func close() throws(StoreError) {
        let times = commitTimes.withLock { $0.unwritten }
        do {
            // A lost commit time is as after a crash; nothing else depends on it.
            if !times.isEmpty { try? write(durable: false) { db in try save(times, db) } }
            try pool.close()
        } catch {
            throw StoreError(database: error)
        }
    }

    /// Reads the whole database, which takes seconds for a large one: for `doctor`, not for every start.
    ///
    /// - Throws: `damaged`.
    package func verify() throws(StoreError) {
        try read { db in
            let answer = try String.fetchOne(db, sql: "PRAGMA quick_check(1)")
            guard answer == "ok" else { throw StoreError.damaged(.database) }
        }
    }
}

// The primitives of the extensions in the other files.
extension TourStore {
    /// All reads of `body` see one state.
    func read<Value>(_ body: (Database) throws -> Value) throws(StoreError) -> Value {
        do {
            return try pool.read(body)
        } catch {
            throw StoreError(database: error)
        }
    }

    /// One transaction, rolled back as a whole if `body` throws.
    ///
    /// - Parameter durable: whether it survives a power cut once this returns. Otherwise it survives the end of the
    ///   process, and a power cut may take the last seconds of such transactions, never one from the middle.
    /// - Parameter committed: runs after the commit, before the next writer.
    func write<Value>(
        durable: Bool, committed: () -> Void = {}, _ body: (Database) throws -> Value
    ) throws(StoreError) -> Value {
        do {
            return try writing { db in
                try setDurable(durable, db)
                let value = try db.inCachedTransaction { try body(db) }
                committed()
                return value
            }
        } catch {
            throw StoreError(database: error)
        }
    }

    /// Whether a writing call would wait for another.
    package var isWriting: Bool { writers.load(ordering: .relaxed) > 0 }

    func writing<Value>(_ body: (Database) throws -> Value) throws -> Value {
        try waitedFor { try pool.writeWithoutTransaction(body) }
    }

    /// The same while nobody reads either.
    func writingAlone<Value>(_ body: (Database) throws -> Value) throws -> Value {
        try waitedFor { try pool.barrierWriteWithoutTransaction(body) }
    }

    private func waitedFor<Value>(_ work: () throws -> Value) throws -> Value {
        writers.add(1, ordering: .relaxed)
        defer { writers.subtract(1, ordering: .relaxed) }
        return try work()
    }

    // Not a cached statement: SQLite executes this when it compiles it, and refuses it inside a transaction.
    func setDurable(_ durable: Bool, _ db: Database) throws {
        guard isWriterDurable.withLock({ $0 != durable }) else { return }
        try db.execute(sql: "PRAGMA synchronous = \(durable ? "FULL" : "NORMAL")")
        isWriterDurable.withLock { $0 = durable }
    }

    /// Microseconds since 1970; never goes back while the store is open.
    func now() -> Int64 {
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        let reading = Int64(time.tv_sec) * 1_000_000 + Int64(time.tv_nsec) / 1_000
        return lastReading.withLock { last in
            last = max(last, reading)
            return last
        }
    }

    /// - Throws: `damaged` when the stored bytes are no event.
    func event(bytes: [UInt8], id: EventID) throws(StoreError) -> Event {
        guard let event = decode(bytes, id) else { throw .damaged(.database) }
        return event
    }

    /// Seals a value for one place: moved to another row or column it does not open.
    func seal(_ value: some Collection<UInt8>, table: String, row: [UInt8], column: String) -> Data {
        Data(Seal.seal(value, key: storageKey.withLock { $0 }, associatedData: Self.place(table, row, column)))
    }

    /// - Throws: `damaged` when the value was not sealed for this place with this key.
    func open(_ sealed: Data, table: String, row: [UInt8], column: String) throws(StoreError) -> [UInt8] {
        do {
            return try Seal.open(
                sealed, key: storageKey.withLock { $0 }, associatedData: Self.place(table, row, column))
        } catch {
            throw .damaged(.database)
        }
    }

    /// The names are our own and contain no zero byte, so the parts cannot be confused.
    static func place(_ table: String, _ row: [UInt8], _ column: String) -> [UInt8] {
        Array(table.utf8) + [0] + Array(column.utf8) + [0] + row
    }
}

extension Database {
    /// An immediate transaction, committed unless `body` throws. GRDB's own compiles its beginning and end each time,
    /// which takes as long as storing an event.
    func inCachedTransaction<Value>(_ body: () throws -> Value) throws -> Value {
        try cachedStatement(sql: "BEGIN IMMEDIATE TRANSACTION").execute()
        do {
            let value = try body()
            try cachedStatement(sql: "COMMIT TRANSACTION").execute()
            return value
        } catch {
            try? rollback()
            throw error
        }
    }

    /// - Returns: nil when nothing of this tour is stored.
    func key(of tour: TourID) throws -> Int64? {
        try Int64.fetchOne(cachedStatement(sql: "SELECT key FROM tour WHERE id = ?"), arguments: [tour.column])
    }

    /// Adds the tour if it is new; call it inside a write.
    func makeKey(of tour: TourID) throws -> Int64 {
        if let key = try key(of: tour) { return key }
        try cachedStatement(sql: "INSERT INTO tour (id) VALUES (?)").execute(arguments: [tour.column])
        return lastInsertedRowID
    }

    /// - Returns: nil when nothing of this author is stored.
    func key(of author: MemberID, in tour: TourID) throws -> Int64? {
        guard let tour = try key(of: tour) else { return nil }
        return try Int64.fetchOne(
            cachedStatement(sql: "SELECT key FROM author WHERE tour = ? AND id = ?"), arguments: [tour, author.column])
    }

    /// Adds the author if it is new; call it inside a write.
    func makeKey(of author: MemberID, tourKey: Int64) throws -> Int64 {
        let found = try Int64.fetchOne(
            cachedStatement(sql: "SELECT key FROM author WHERE tour = ? AND id = ?"),
            arguments: [tourKey, author.column])
        if let found { return found }
        try cachedStatement(sql: "INSERT INTO author (tour, id) VALUES (?, ?)")
            .execute(arguments: [tourKey, author.column])
        return lastInsertedRowID
    }
}
