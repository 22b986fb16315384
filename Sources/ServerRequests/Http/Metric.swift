/// What `/metrics` shows: each metric's name, and what it is. Names and labels stay, since dashboards and alerts use
/// them; no label has more values than this program gives it, and none tells of a person or a tour.
/// Source: Prometheus, "Metric and label naming".
package enum Metric: String, CaseIterable, Sendable {
    case ready = "tour_server_ready"
    case build = "tour_server_build_info"
    case requests = "tour_server_requests_total"
    case requestSeconds = "tour_server_request_seconds"
    case requestsUnderWay = "tour_server_requests_under_way"
    case refusals = "tour_server_refusals_total"
    case connections = "tour_server_connections"
    case connectionsMax = "tour_server_connections_max"
    case receivedBytes = "tour_server_received_bytes_total"
    case sentBytes = "tour_server_sent_bytes_total"
    case listeners = "tour_server_listeners"
    case listenersMax = "tour_server_listeners_max"
    case queued = "tour_server_queued"
    case messages = "tour_server_sms_total"
    case messagesUsed = "tour_server_sms_used_ratio"
    case mails = "tour_server_mail_total"
    case mailsWaiting = "tour_server_mail_waiting"
    case readings = "tour_server_live_readings_total"
    case wakes = "tour_server_wakes_total"
    case notifications = "tour_server_notifications_total"
    case rosters = "tour_server_rosters_total"
    case rostersUnderWay = "tour_server_rosters_under_way"
    case transactions = "tour_server_transactions_total"
    case commits = "tour_server_commits_total"
    case transactionsWaiting = "tour_server_transactions_waiting"
    case retries = "tour_server_transaction_retries_total"
    case databaseBytes = "tour_server_database_bytes"
    case databaseFreeBytes = "tour_server_database_free_bytes"
    case databaseLogBytes = "tour_server_database_log_bytes"
    case databaseConnections = "tour_server_database_connections"
    case databaseConnectionsMax = "tour_server_database_connections_max"
    case keysUnread = "tour_server_token_keys_unread"
    case accounts = "tour_server_accounts"
    case tours = "tour_server_tours"
    case storedBytes = "tour_server_stored_bytes"
    case diskFreeBytes = "tour_server_disk_free_bytes"
    case diskBytes = "tour_server_disk_bytes"
    case lastBackup = "tour_server_last_backup_timestamp_seconds"
    case processStart = "process_start_time_seconds"
    case processSeconds = "process_cpu_seconds_total"
    case processMemory = "process_resident_memory_bytes"
    case processDescriptors = "process_open_fds"
    case processDescriptorsMax = "process_max_fds"

    /// How a metric behaves.
    package enum Kind: String, Sendable {
        /// Only rises, from 0 at the start of the process.
        case counter
        case gauge
        /// Counts by upper bounds, with a sum.
        case histogram
    }

    /// How the metric behaves.
    package var kind: Kind {
        if self == .requestSeconds { return .histogram }
        return rawValue.hasSuffix("_total") ? .counter : .gauge
    }

    /// The names of its series, without labels.
    package var series: [String] {
        kind == .histogram ? ["_bucket", "_sum", "_count"].map { rawValue + $0 } : [rawValue]
    }

    /// Whether only servers on PostgreSQL have it.
    package var isOfPostgres: Bool {
        [.databaseConnections, .databaseConnectionsMax, .notifications].contains(self)
    }

    /// Whether only servers on SQLite have it.
    package var isOfSQLite: Bool { [.databaseFreeBytes, .databaseLogBytes].contains(self) }

    /// One line for people.
    package var help: String {
        switch self {
        case .ready: "1 where a check of /readyz passes, else 0."
        case .build: "Always 1; the label is the version."
        case .requests: "Requests, by the contract's path."
        case .requestSeconds: "Seconds from the head of a request to the head of its answer."
        case .requestsUnderWay: "Requests that have no answer yet."
        case .refusals: "Requests and connections that were refused, by the limit that was reached."
        case .connections: "Open connections of clients."
        case .connectionsMax: "Connections that may be open at once."
        case .receivedBytes: "Bytes of HTTP that came, without TLS."
        case .sentBytes: "Bytes of HTTP that went out, without TLS."
        case .listeners: "Open streams of events."
        case .listenersMax: "Streams of events that may be open at once."
        case .queued: "What waits for its turn, by queue; with passwords and documents that are worked on."
        case .messages: "Text messages."
        case .messagesUsed: "How much of the day's text messages is used: of both shares, and of the fullest prefix's."
        case .mailsWaiting: "Mails that wait for the mail server."
        case .mails: "Tries to send a mail; given-up: the last one."
        case .readings: "Reads of a tour's changes for its listeners."
        case .wakes: "Wakes of listeners in this process."
        case .notifications: "Notifications by PostgreSQL between the processes of the server."
        case .rosters: "Rosters that were computed from the genesis on."
        case .rostersUnderWay: "Rosters that are being computed."
        case .transactions: "Transactions that wrote."
        case .commits: "Commits; transactions may share one."
        case .transactionsWaiting: "Transactions that wait for the database."
        case .retries: "Transactions that were run again because another was in their way."
        case .databaseBytes: "The size of the database."
        case .databaseFreeBytes: "Pages of the database that nothing uses now."
        case .databaseLogBytes: "The size of the write-ahead log."
        case .databaseConnections: "Connections of this process to PostgreSQL."
        case .databaseConnectionsMax: "Connections that this process may have to PostgreSQL."
        case .keysUnread: "Keys for tokens that this process cannot read, and passes over."
        case .accounts: "Accounts."
        case .tours: "Tours."
        case .storedBytes: "Bytes of files beside the database: sealed blobs of tours, and files of notebooks."
        case .diskFreeBytes: "Free bytes on the disk of the data directory."
        case .diskBytes: "The size of the disk of the data directory."
        case .lastBackup: "When the last backup of this data directory was made, in seconds since 1970."
        case .processStart: "When the process started, in seconds since 1970."
        case .processSeconds: "Seconds of processor time, of user and system."
        case .processMemory: "Resident memory."
        case .processDescriptors: "Open file descriptors."
        case .processDescriptorsMax: "File descriptors that may be open."
        }
    }
}
