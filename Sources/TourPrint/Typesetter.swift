import CPango

/// The paper, in points. Source: ISO 216, A4.
enum Sheet {
    static let width = 595.28
    static let height = 841.89
    static let margin = 56.0
    static let foot = 64.0
    static let textWidth = width - 2 * margin
    static let bottom = height - foot
}

/// One pass over a document, line by line and page by page; without a press it only counts pages.
struct Typesetter {
    /// A column for text: its left end and its width.
    private struct Column {
        var x = Sheet.margin
        var width = Sheet.textWidth
    }

    let type: Typecase
    let press: PDFPress?
    let pageCount: Int
    /// The page being set, from 1.
    private(set) var page = 1
    private var y = Sheet.margin
    private var isPageEmpty = true

    init(type: Typecase, press: PDFPress?, pageCount: Int) {
        self.type = type
        self.press = press
        self.pageCount = pageCount
    }

    mutating func set(_ document: PrintDocument) throws(PrintError) {
        try set(document.title, .title, Column())
        y += 3
        for detail in document.details { try set(detail, .detail, Column()) }
        y += 6
        press?.rule(x: Sheet.margin, y: y, width: Sheet.textWidth)
        y += 12
        let numbers = document.body.compactMap { if case .entry(let number, _, _) = $0 { number } else { nil } }
        let gutter = 12 + 7.5 * Double(numbers.map { "\($0)".count }.max() ?? 0)
        for block in document.body {
            switch block {
            case .text(let text): try set(text, .text, Column())
            case .heading(let text):
                if !isPageEmpty { y += 8 }
                try keepTogether(TextStyle.heading.height + 2 * (TextStyle.text.height + TextStyle.text.leading))
                try set(text, .heading, Column())
            case .entry(let number, let title, let lines):
                try setEntry(number, title, lines, gutter: gutter)
            }
        }
        endPage()
    }

    /// The number is placed on the side where the title begins.
    private mutating func setEntry(
        _ number: Int, _ title: String, _ lines: [String], gutter: Double
    ) throws(PrintError) {
        if !isPageEmpty { y += 4 }
        try keepTogether(TextStyle.entry.height + 2 * (TextStyle.text.height + TextStyle.text.leading))
        let paragraphs = PlainText(title).paragraphs
        let isRight = paragraphs.first.map(Self.direction) == PANGO_DIRECTION_RTL
        let label = TypedText(
            type, Array("\(number).".utf8)[...], .entry, direction: PANGO_DIRECTION_LTR, width: gutter * 2, links: [])
        if let press, let line = label.lines.first {
            let x = isRight ? Sheet.margin + Sheet.textWidth - line.width : Sheet.margin
            press.show(line, of: label, x: x, y: y, grey: 0)
        }
        let column = Column(
            x: Sheet.margin + (isRight ? 0 : gutter), width: Sheet.textWidth - gutter)
        for paragraph in paragraphs { try setParagraph(paragraph, .entry, column) }
        for line in lines { try set(line, .text, column) }
        y += 4
    }

    private mutating func set(_ text: String, _ style: TextStyle, _ column: Column) throws(PrintError) {
        for paragraph in PlainText(text).paragraphs { try setParagraph(paragraph, style, column) }
    }

    /// Sets a paragraph in pieces, each from the end of the last full line of the one before: the joins are
    /// invisible.
    private mutating func setParagraph(
        _ text: [UInt8], _ style: TextStyle, _ column: Column
    ) throws(PrintError) {
        guard !text.isEmpty else { return try addBlank(style) }
        let direction = Self.direction(text)
        let links = PrintedLink.all(in: text)
        var start = 0
        while start < text.count {
            let end = Self.pieceEnd(text, from: start)
            let near = links.filter { $0.range.overlaps(start..<end) }
            let piece = TypedText(
                type, text[start..<end], style, direction: direction, width: column.width, links: near)
            var lines = piece.lines[...]
            var next = end
            if end < text.count, lines.count > 1, let last = lines.last, last.range.lowerBound > 0 {
                next = start + last.range.lowerBound
                lines = lines.dropLast()
            }
            for line in lines { try place(line, of: piece, at: start, near, style, column) }
            start = next
        }
    }

    private mutating func place(
        _ line: TypedText.Line, of piece: TypedText, at start: Int, _ links: [PrintedLink], _ style: TextStyle,
        _ column: Column
    ) throws(PrintError) {
        let height = max(line.height, style.height)
        if y + height > Sheet.bottom, !isPageEmpty { try turnPage() }
        if let press {
            press.show(line, of: piece, x: column.x, y: y + height - line.height, grey: style.grey)
            for link in links {
                let bytes = line.range.lowerBound + start..<line.range.upperBound + start
                let part = link.range.clamped(to: bytes)
                guard !part.isEmpty else { continue }
                for x in piece.places(of: part.lowerBound - start..<part.upperBound - start, in: line) {
                    let place = column.x + x.lowerBound...column.x + x.upperBound
                    press.link(to: link.target, x: place, y: y, height: height)
                }
            }
        }
        y += height + style.leading
        isPageEmpty = false
    }

    private mutating func addBlank(_ style: TextStyle) throws(PrintError) {
        if y + style.height > Sheet.bottom { try turnPage() }
        y += style.height + style.leading
    }

    /// Keeps a block of this height on one page, moving it to the next page if necessary and possible.
    private mutating func keepTogether(_ height: Double) throws(PrintError) {
        if y + height > Sheet.bottom, !isPageEmpty { try turnPage() }
    }

    private mutating func turnPage() throws(PrintError) {
        guard page < PrintLimits.pagesMax else { throw .tooLong }
        endPage()
        page += 1
        y = Sheet.margin
        isPageEmpty = true
    }

    private func endPage() {
        guard let press else { return }
        let number = TypedText(
            type, Array("\(page) / \(pageCount)".utf8)[...], .detail, direction: PANGO_DIRECTION_LTR,
            width: Sheet.textWidth, links: [])
        if let line = number.lines.first {
            let x = (Sheet.width - line.width) / 2
            press.show(line, of: number, x: x, y: Sheet.height - Sheet.foot + 24, grey: TextStyle.detail.grey)
        }
        press.endPage()
    }

    /// The direction of the first letter that has one; left to right if none has.
    private static func direction(_ text: [UInt8]) -> PangoDirection {
        let found = text.withUnsafeBytes { bytes in
            pango_find_base_dir(bytes.bindMemory(to: CChar.self).baseAddress, Int32(bytes.count))
        }
        return found == PANGO_DIRECTION_RTL ? PANGO_DIRECTION_RTL : PANGO_DIRECTION_LTR
    }

    /// Never inside a character's bytes.
    private static func pieceEnd(_ text: [UInt8], from start: Int) -> Int {
        var end = min(start + PrintLimits.pieceBytesMax, text.count)
        while end < text.count, text[end] & 0xC0 == 0x80 { end -= 1 }
        return end
    }
}
