/// Texts that somebody wrote, before they are sealed.
enum DraftText {
    /// - Parameter tooLong: for a text of more bytes.
    /// - Throws: `tooLong`; `bad-text` for a zero byte, at which databases and printers would end the text.
    static func check(_ text: String, bytesMax: Int, _ tooLong: NodeError) throws(NodeError) {
        guard text.utf8.count <= bytesMax else { throw tooLong }
        guard !text.utf8.contains(0) else { throw .nullInText }
    }
}
