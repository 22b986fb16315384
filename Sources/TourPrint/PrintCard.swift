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

    /// What to do, in one language.
    package struct Words: Hashable, Sendable {
        /// In this order.
        package var steps: [String]
        /// What else is to be known, below the steps; nil: nothing.
        package var note: String?

        package init(steps: [String], note: String? = nil) {
            self.steps = steps
            self.note = note
        }
    }

    package var size: Size
    /// Also the file's title.
    package var title: String
    /// In each language, the largest letters for the first one.
    package var words: [Words]
    /// Side by side.
    package var codes: [Code]
    /// Of most of the text (BCP 47): selects fonts where scripts share characters.
    package var language: String?

    package init(size: Size, title: String, words: [Words], codes: [Code], language: String? = nil) {
        self.size = size
        self.title = title
        self.words = words
        self.codes = codes
        self.language = language
    }

    /// All of the text.
    var texts: [String] {
        [title] + words.flatMap { $0.steps + [$0.note].compactMap(\.self) } + codes.flatMap { [$0.title] + $0.lines }
    }

    /// All of the text, in bytes of UTF-8.
    var textBytes: Int { texts.reduce(0) { $0 + $1.utf8.count } }
}
