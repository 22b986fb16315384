/// What the heading of a notification says. Names are set apart from the words around them, and bounded.
package enum NoticeSummary: Hashable, Sendable {
    /// Of one message, by its kind.
    case urgent(author: String, tour: String)
    case announcement(author: String, tour: String)
    case message(author: String, tour: String)
    /// Of several unread messages; of messages that arrived long after they were written.
    case unread(Int, tour: String)
    case earlier(Int, tour: String)
}
