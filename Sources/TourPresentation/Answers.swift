import TourModel
import TourNode
import TourWords

/// An answer of the node that has words in it, as JSON: every key is present, with null where there is no value.
package struct WordedAnswer: Encodable, Sendable {
    private struct Key: CodingKey {
        let stringValue: String
        var intValue: Int? { nil }

        init(stringValue: String) { self.stringValue = stringValue }

        init?(intValue: Int) { nil }
    }

    private let fields: [(String, any Encodable & Sendable)]

    init(_ fields: KeyValuePairs<String, any Encodable & Sendable>) { self.fields = fields.map { ($0, $1) } }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Key.self)
        for (name, value) in fields { try container.encode(value, forKey: Key(stringValue: name)) }
    }
}

extension WordedAnswer {
    /// Why something failed. Shape: `Protocol/Schema/local-api.yaml`, `SyncProblem`.
    init(_ problem: any SpokenFault, on surface: any Surface) {
        self.init([
            "code": problem.code, "message": problem.phrase(on: surface), "advice": problem.advice(on: surface),
        ])
    }
}

extension Finding {
    /// Shape: `Protocol/Schema/local-api.yaml`, `Check`.
    package func answer(on surface: any Surface) -> WordedAnswer {
        WordedAnswer([
            "name": name, "state": state.rawValue, "message": message(on: surface), "advice": advice(on: surface),
        ])
    }
}

extension TourNote {
    /// Shape: `Protocol/Schema/local-api.yaml`, `Note`.
    package var answer: WordedAnswer {
        WordedAnswer(["kind": kind, "memberID": member?.hex, "me": isOwn, "text": change.phrase, "state": state])
    }
}

extension SyncReport {
    /// Shape: `Protocol/Schema/local-api.yaml`, `SyncReport`.
    package func answer(on surface: any Surface) -> WordedAnswer {
        WordedAnswer([
            "state": state, "percent": percent, "pulled": pulled, "pushed": pushed, "total": total,
            "unsynced": unsynced, "refused": refused, "problem": problem.map { WordedAnswer($0, on: surface) },
        ])
    }
}

extension SharingView {
    /// Shape: `Protocol/Schema/local-api.yaml`, `Sharing`.
    package func answer(on surface: any Surface) -> WordedAnswer {
        WordedAnswer([
            "sharing": sharing, "until": until, "position": position,
            "problem": problem.map { WordedAnswer($0, on: surface) },
        ])
    }
}

extension MessageReceipts {
    /// Shape: `Protocol/Schema/local-api.yaml`, `Receipts`.
    package var answer: WordedAnswer {
        let reason = Phrase("Not accepted: this log ends before it, so nobody else takes it.")
        return WordedAnswer([
            "id": id, "status": status, "counts": counts, "missing": missing, "members": members,
            "reason": isAfterEnd ? reason : nil,
        ])
    }
}

extension NodeNotebook.ImportReport {
    /// Shape: `Protocol/Schema/local-api.yaml`, `NotebookImport`.
    package var answer: WordedAnswer {
        WordedAnswer([
            "added": added, "changed": changed, "unchanged": unchanged, "different": different,
            "skippedCount": skippedCount, "skipped": skipped.map(\.answer),
        ])
    }
}

extension NodeNotebook.ImportReport.Skipped {
    fileprivate var answer: WordedAnswer {
        WordedAnswer(["number": number, "title": title, "reason": fault.phrase])
    }
}

extension AskView {
    /// Shape: `Protocol/Schema/local-api.yaml`, `Ask`.
    package var answer: WordedAnswer {
        WordedAnswer([
            "state": state, "label": label, "words": words, "tour": tour, "refusal": refusal,
            "sentence": refusal?.phrase, "secondsLeft": secondsLeft,
        ])
    }
}
