import Logging
import TourGossip
import TourModel
import TourStore

/// Where the data of a store comes from: its own directory, a copy of one, or a backup. A store that may be older than
/// the logs that were written from it writes nothing before these have been checked.
/// Source: `Protocol/06-replication.md`, "One's own log".
enum StoreOrigin {
    private static let placeSetting = "place"

    /// A directory at another path is a copy, or was moved: nobody knows what was written from the other one. This
    /// node sends nothing before its logs have been checked.
    static func noticeCopy(_ directory: DataDirectory, _ store: TourStore, _ logger: Logger) throws(StoreError) {
        let place = try DirectoryPlace.fingerprint(directory)
        let known = try store.setting(placeSetting)
        guard known != place else { return }
        if known != nil {
            logger.warning("the data directory was copied or moved: what others hold of our messages comes first")
            try mark(store, .copied)
            // Two copies are two nodes, and two writers of one notebook.
            try store.setSetting(TourNode.nodeIDSetting, value: nil)
            try store.renewNotebookDevice()
        }
        try store.setSetting(placeSetting, value: place)
    }

    /// The store comes from a backup. Forgets its old path, so that the next start does not take it for a copy.
    static func noticeRestore(_ store: TourStore, isRetiring: Bool) throws(StoreError) {
        try mark(store, isRetiring ? .retired : .restored)
        try store.setSetting(TourNode.nodeIDSetting, value: nil)
        try store.setSetting(placeSetting, value: nil)
        // The backup lacks what the device wrote into its notebook since.
        try store.renewNotebookDevice()
    }

    private static func mark(_ store: TourStore, _ state: OwnLogState) throws(StoreError) {
        for record in try store.tours() {
            let kept = MembershipRecords(store: store, member: record.ownMember)
            let known = try kept.ownLog
            guard known == .ready || known.isRecovering else { continue }
            try kept.keep(ownLog: state)
        }
    }
}
