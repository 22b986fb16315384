import TourDesktop
import TourWords

extension NoticeSummary {
    /// The heading in words.
    package var phrase: Phrase {
        switch self {
        case .urgent(let author, let tour): Phrase("Urgent, from \(author) in “\(tour)”")
        case .announcement(let author, let tour): Phrase("\(author) announces in “\(tour)”")
        case .message(let author, let tour): Phrase("\(author) in “\(tour)”")
        case .unread(let count, let tour):
            Phrase(count, one: "\(count) unread message in “\(tour)”", other: "\(count) unread messages in “\(tour)”")
        case .earlier(let count, let tour):
            Phrase(
                count, one: "\(count) earlier message in “\(tour)”", other: "\(count) earlier messages in “\(tour)”")
        }
    }
}
