import TourAPI
import TourDiscovery
import TourModel
import TourNode
import TourPresentation
import TourWords

extension TourNode.StatusReport {
    /// The status with its words.
    package func answer(on surface: any Surface) -> Status {
        var answer = status
        answer.discovery = discovery.answer
        answer.notebookProblem = notebookProblem.map { Problem($0, on: surface) }
        answer.voided = voided.map(\.phrase.spoken)
        answer.mailbox?.problem = mailboxProblem.map { Problem($0, on: surface) }
        return answer
    }
}

extension TourNode.StatusReport.Discovery {
    fileprivate var answer: Status.Discovery {
        switch self {
        case .offline: .init(state: "off", reason: Phrase("offline").spoken)
        case .off: .init(state: "off", reason: Phrase("started with --no-mdns").spoken)
        case .on(.starting): .init(state: "starting", reason: nil)
        case .on(.running): .init(state: "running", reason: nil)
        case .on(let state): .init(state: "unavailable", reason: state.reason?.spoken)
        }
    }
}
