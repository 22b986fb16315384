import TourDiscovery
import TourModel
import TourNode
import TourWords

extension TourNode.Status {
    /// Shape: `Protocol/Schema/local-api.yaml`, `Status`.
    package func answer(on surface: any Surface) -> WordedAnswer {
        WordedAnswer([
            "nodeID": nodeID, "version": ProgramVersion.number, "commit": ProgramVersion.commit, "name": name,
            "port": port,
            "tourID": tourID, "tourName": tourName,
            "links": links, "members": members, "membersReachable": membersReachable, "people": people,
            "segments": segments, "discovery": discovery.answer, "multicast": multicast, "paths": paths,
            "unsent": unsent, "behind": behind, "sealing": sealing, "unsynced": unsynced,
            "notebookPending": notebookPending,
            "notebookProblem": notebookProblem.map { WordedAnswer($0, on: surface) },
            "rejected": rejected, "uptimeSeconds": uptimeSeconds, "dataDirectory": dataDirectory,
            "storageKey": storageKey, "ownLog": ownLog, "recovery": recovery, "shareUsed": shareUsed,
            "state": state, "voided": voided.map(\.phrase), "lost": lost, "archived": archived,
            "mailbox": mailbox.map { $0.answer(on: surface) }, "files": files,
        ])
    }
}

extension TourNode.Status.Discovery {
    fileprivate var answer: WordedAnswer {
        switch self {
        case .offline: Self.answer("off", Phrase("offline"))
        case .off: Self.answer("off", Phrase("started with --no-mdns"))
        case .on(.starting): Self.answer("starting", nil)
        case .on(.running): Self.answer("running", nil)
        case .on(let state): Self.answer("unavailable", state.reason)
        }
    }

    private static func answer(_ state: String, _ reason: Phrase?) -> WordedAnswer {
        WordedAnswer(["state": state, "reason": reason])
    }
}

extension TourNode.MailboxStatus {
    fileprivate func answer(on surface: any Surface) -> WordedAnswer {
        WordedAnswer([
            "server": server, "account": account, "state": state, "lastSync": lastSync, "answeredAgo": answeredAgo,
            "percent": percent, "refused": refused, "clockLead": clockLead,
            "problem": problem.map { WordedAnswer($0, on: surface) },
        ])
    }
}
