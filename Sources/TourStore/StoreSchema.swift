import GRDB

/// The tables. A released migration is never edited: a change needs a new one.
///
/// Tours and authors have small integer keys, since their 32-byte ids would dominate every index. Foreign keys are not
/// declared: they would cost two look-ups for each event, and only `removeTour` deletes.
enum StoreSchema {
    /// Control and profile events are no messages. The condition must be identical in the index and in every query that
    /// uses it.
    static let isMessage = "class NOT IN (0, 3)"
    static let isUnseen = "seen = 0 AND \(isMessage)"
    static let isControl = "class = 0"
    static let isProfile = "class = 3"
    static let isUrgent = "class = 1"

    /// Migrates an empty or older database; each step is one transaction.
    static var migrator: DatabaseMigrator {
        var migrator = DatabaseMigrator()
        migrator.registerMigration("1-settings-and-tours") { db in try db.execute(sql: settingsAndTours) }
        migrator.registerMigration("2-events") { db in try db.execute(sql: events) }
        migrator.registerMigration("3-sync-state") { db in try db.execute(sql: syncState) }
        migrator.registerMigration("4-urgent") { db in try db.execute(sql: urgent) }
        migrator.registerMigration("5-log-sizes") { db in try db.execute(sql: logSizes) }
        migrator.registerMigration("6-archive") { db in try db.execute(sql: archive) }
        migrator.registerMigration("7-synced") { db in try db.execute(sql: synced) }
        migrator.registerMigration("8-blobs") { db in try db.execute(sql: blobs) }
        migrator.registerMigration("9-notebook") { db in try db.execute(sql: notebook) }
        migrator.registerMigration("10-seen") { db in try db.execute(sql: seen) }
        migrator.registerMigration("11-presence") { db in try db.execute(sql: presence) }
        migrator.registerMigration("12-place") { db in try db.execute(sql: place) }
        return migrator
    }

    private static let settingsAndTours = """
        CREATE TABLE meta (starts INTEGER NOT NULL);
        INSERT INTO meta VALUES (0);
        CREATE TABLE setting (name TEXT PRIMARY KEY, value BLOB NOT NULL) WITHOUT ROWID;
        CREATE TABLE tour (key INTEGER PRIMARY KEY, id BLOB NOT NULL UNIQUE);
        CREATE TABLE record (
            tour INTEGER PRIMARY KEY, own BLOB NOT NULL, secrets BLOB NOT NULL, name BLOB NOT NULL,
            used INTEGER NOT NULL, active INTEGER NOT NULL, read_through INTEGER NOT NULL);
        """

    // A later batch rewrites `batch.received` (see `append`).
    // `event.prefix` is the first eight bytes of the id: look-ups by id need no index of whole ids.
    private static let events = """
        CREATE TABLE author (
            key INTEGER PRIMARY KEY, tour INTEGER NOT NULL, id BLOB NOT NULL, UNIQUE (tour, id));
        CREATE TABLE batch (key INTEGER PRIMARY KEY, tour INTEGER NOT NULL, received INTEGER NOT NULL);
        CREATE TABLE event (
            row INTEGER PRIMARY KEY, tour INTEGER NOT NULL, author INTEGER NOT NULL, sequence INTEGER NOT NULL,
            clock INTEGER NOT NULL, class INTEGER NOT NULL, prefix INTEGER NOT NULL, batch INTEGER NOT NULL,
            hops INTEGER NOT NULL, id BLOB NOT NULL, bytes BLOB NOT NULL);
        CREATE UNIQUE INDEX event_log ON event (author, sequence);
        CREATE INDEX event_order ON event (tour, clock) WHERE \(isMessage);
        CREATE INDEX event_prefix ON event (prefix);
        CREATE INDEX event_profile ON event (tour) WHERE \(isProfile);
        CREATE TABLE control (
            row INTEGER PRIMARY KEY, tour INTEGER NOT NULL, id BLOB NOT NULL, bytes BLOB NOT NULL,
            UNIQUE (tour, id));
        """

    private static let syncState = """
        CREATE TABLE frontier (
            author INTEGER NOT NULL, counter INTEGER NOT NULL, bytes BLOB NOT NULL, signature BLOB NOT NULL,
            received INTEGER NOT NULL, PRIMARY KEY (author, counter)) WITHOUT ROWID;
        CREATE TABLE watermark (
            author INTEGER PRIMARY KEY, sent INTEGER NOT NULL, delivered INTEGER NOT NULL, read INTEGER NOT NULL,
            synced INTEGER NOT NULL);
        CREATE TABLE address (
            tour INTEGER NOT NULL, host TEXT NOT NULL, port INTEGER NOT NULL, used INTEGER NOT NULL,
            PRIMARY KEY (tour, host, port)) WITHOUT ROWID;
        """

    // An event ahead of its author's log has its sequence negated: no log reads it, and listings find it in its place.
    // When the log reaches it, the sign changes.
    private static let urgent = "CREATE INDEX event_urgent ON event (author, sequence) WHERE \(isUrgent);"

    // An event's content, sealed under the storage key because its epoch's key is wiped; by the event's row.
    private static let archive = "CREATE TABLE archive (row INTEGER PRIMARY KEY, content BLOB NOT NULL);"

    // The bytes of the log up to and including an event: sealed events, and control events. So the last event's row has
    // the size of the whole log. For an event ahead of its log the sizes are unknown, and never read.
    private static let logSizes = """
        ALTER TABLE event ADD COLUMN sealed_bytes INTEGER NOT NULL DEFAULT 0;
        ALTER TABLE event ADD COLUMN control_bytes INTEGER NOT NULL DEFAULT 0;
        UPDATE event SET sealed_bytes = total.sealed, control_bytes = total.control FROM (
            SELECT row, sum(iif(class = 0, 0, length(bytes))) OVER log AS sealed,
                sum(iif(class = 0, length(bytes), 0)) OVER log AS control
            FROM event WHERE sequence > 0 WINDOW log AS (PARTITION BY author ORDER BY sequence)
        ) AS total WHERE event.row = total.row;
        """

    // Since when a server has an author's log up to a sequence; `by` is the member that reported it, if a member did.
    private static let synced = """
        CREATE TABLE synced (
            author INTEGER NOT NULL, through INTEGER NOT NULL, at INTEGER NOT NULL, by INTEGER,
            PRIMARY KEY (author, through)) WITHOUT ROWID;
        """

    // Files, and the hashes of their chunks by page. `details` are sealed: see `BlobManifest`. Keys are never reused: a
    // holder of a removed file must not write into another's row.
    private static let blobs = """
        CREATE TABLE blob (
            key INTEGER PRIMARY KEY AUTOINCREMENT, tour INTEGER NOT NULL, id BLOB NOT NULL, author INTEGER NOT NULL,
            event BLOB NOT NULL, details BLOB NOT NULL, room INTEGER NOT NULL, complete INTEGER NOT NULL,
            asked INTEGER NOT NULL, added INTEGER NOT NULL, used INTEGER NOT NULL,
            UNIQUE (tour, id));
        CREATE TABLE blob_page (
            blob INTEGER NOT NULL, page INTEGER NOT NULL, hashes BLOB NOT NULL, PRIMARY KEY (blob, page));
        """

    // Which messages were displayed. Before this migration all messages up to one clock counted as displayed.
    private static let seen = """
        ALTER TABLE event ADD COLUMN seen INTEGER NOT NULL DEFAULT 0;
        UPDATE event SET seen = 1 FROM record
            WHERE event.tour = record.tour AND event.\(isMessage) AND event.clock <= record.read_through;
        CREATE INDEX event_unseen ON event (tour, clock) WHERE \(isUnseen);
        """

    // Where an event stands in listings: see `TourStore.place`. An older event stands at its clock.
    private static let place = """
        ALTER TABLE event ADD COLUMN place INTEGER NOT NULL DEFAULT 0;
        UPDATE event SET place = clock;
        DROP INDEX event_order;
        DROP INDEX event_unseen;
        CREATE INDEX event_order ON event (tour, place) WHERE \(isMessage);
        CREATE INDEX event_unseen ON event (tour, place) WHERE \(isUnseen);
        CREATE INDEX event_announced ON event (tour, clock) WHERE \(isUrgent);
        """

    // When each member last gave a sign of life; then since when it has what, and has read it: see `SignRecord`. Two
    // tables: the first changes every minute, the second with messages.
    private static let presence = """
        CREATE TABLE sign (author INTEGER PRIMARY KEY, seen INTEGER NOT NULL, counter INTEGER NOT NULL);
        CREATE TABLE receipt (author INTEGER PRIMARY KEY, steps BLOB NOT NULL);
        """

    // The notebook: see `LocalItem`. `content` is sealed, and NULL for a deleted item. The description of files is
    // sealed in `details`, their bytes in parts; `sent` records whether the server has them. Keys are never reused:
    // uploads continue from the key of the last one.
    private static let notebook = """
        CREATE TABLE notebook (
            key INTEGER PRIMARY KEY AUTOINCREMENT, id BLOB NOT NULL UNIQUE, kind TEXT NOT NULL, content BLOB,
            version INTEGER NOT NULL, base INTEGER NOT NULL, sent INTEGER NOT NULL, pending INTEGER NOT NULL,
            created INTEGER NOT NULL, updated INTEGER NOT NULL, problem BLOB);
        CREATE INDEX notebook_kind ON notebook (kind, created, id) WHERE content IS NOT NULL;
        CREATE INDEX notebook_pending ON notebook (key) WHERE pending = 1;
        CREATE TABLE notebook_file (
            key INTEGER PRIMARY KEY AUTOINCREMENT, id BLOB NOT NULL UNIQUE, item BLOB NOT NULL, details BLOB NOT NULL,
            sent INTEGER NOT NULL);
        CREATE INDEX notebook_file_item ON notebook_file (item);
        CREATE INDEX notebook_file_unsent ON notebook_file (key) WHERE sent = 0;
        CREATE TABLE notebook_part (
            file BLOB NOT NULL, number INTEGER NOT NULL, data BLOB NOT NULL, PRIMARY KEY (file, number));
        """
}
