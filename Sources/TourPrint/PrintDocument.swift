/// What is to be printed: a title, lines below it, and paragraphs.
package struct PrintDocument: Hashable, Sendable {
    package var title: String

    package init(title: String) { self.title = title }
}
