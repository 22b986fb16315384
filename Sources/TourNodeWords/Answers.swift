import TourAPI
import TourModel
import TourNode
import TourPresentation
import TourWords

// What the node answers, in the words of the request's reader. Shapes: `Protocol/Schema/local-api.yaml`.

extension Finding {
    package func answer(on surface: any Surface) -> Check {
        Check(
            name: name, state: state.rawValue, message: message(on: surface).spoken,
            advice: advice(on: surface).spoken)
    }
}

extension TourNote {
    package var answer: WordedNote {
        WordedNote(
            kind: kind.rawValue, memberID: member?.hex, me: isOwn, text: change.phrase.spoken, state: state)
    }
}

extension SyncReport {
    package func answer(on surface: any Surface) -> SyncAnswer {
        SyncAnswer(
            state: state.rawValue, percent: percent, pulled: pulled, pushed: pushed, total: total,
            unsynced: unsynced, refused: refused, problem: problem.map { Problem($0, on: surface) })
    }
}

extension SharingView {
    package func answer(on surface: any Surface) -> SharingStatus {
        SharingStatus(
            sharing: sharing, until: until, position: position, problem: problem.map { Problem($0, on: surface) })
    }
}

extension MessageReceipts {
    package var answer: Receipts {
        let reason = Phrase("Not accepted: this log ends before it, so nobody else takes it.")
        return Receipts(
            id: id, status: status, counts: counts, missing: missing, members: members,
            reason: isAfterEnd ? reason.spoken : nil)
    }
}

extension AskView {
    package var answer: Ask {
        Ask(
            state: state.rawValue, label: label, words: words, tour: tour, refusal: refusal?.rawValue,
            sentence: refusal?.phrase.spoken, secondsLeft: secondsLeft)
    }
}
