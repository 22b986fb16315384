/// One page that is handed out: what to do, and codes that a camera reads. Every text is printed literally.
package struct PrintCard: Hashable, Sendable {
    package enum Size: String, Hashable, Sendable, CaseIterable {
        /// A sheet to be put on a wall. Source: ISO 216.
        case a4
        /// A card for a pocket, 85.6 × 54 mm. Source: ISO/IEC 7810, ID-1.
        case card
    }

    /// A QR code and what stands below it.
    package struct Code: Hashable, Sendable {
        package var title: String
        /// For whom has no camera: the same to be typed.
        package var lines: [String]
        /// Its rows from the top, true for dark, without the quiet zone.
        package var rows: [[Bool]]

        package init(title: String, lines: [String], rows: [[Bool]]) {
            self.title = title
            self.lines = lines
            self.rows = rows
        }
    }

    package var size: Size
    /// Also the file's title.
    package var title: String
    /// What to do, in this order.
    package var steps: [String]
    /// Side by side.
    package var codes: [Code]
    /// Of most of the text (BCP 47): selects fonts where scripts share characters.
    package var language: String?

    package init(size: Size, title: String, steps: [String], codes: [Code], language: String? = nil) {
        self.size = size
        self.title = title
        self.steps = steps
        self.codes = codes
        self.language = language
    }

    /// All of the text, in bytes of UTF-8.
    var textBytes: Int {
        let texts = [title] + steps + codes.flatMap { [$0.title] + $0.lines }
        return texts.reduce(0) { $0 + $1.utf8.count }
    }
}
