import CPango

/// Sets a card: the text as large as leaves the codes room. Lengths are points.
struct CardSetter {
    /// The measures of a size of paper.
    private struct Look {
        let width: Double
        let height: Double
        let margin: Double
        /// Of the largest text: title, steps, what stands below a code.
        let letters: (title: Double, step: Double, caption: Double)
        /// Of a code's side, quiet zone included.
        let side: ClosedRange<Double>

        init(_ size: PrintCard.Size) {
            switch size {
            case .a4:
                (width, height, margin) = (Sheet.width, Sheet.height, Sheet.margin)
                letters = (30, 15, 13)
                side = 170...300
            case .card:
                (width, height, margin) = (242.65, 153.07, 8)
                letters = (9.5, 6.5, 6)
                side = 56...84
            }
        }

        var textWidth: Double { width - 2 * margin }
    }

    /// A text that was broken into lines, and the space above it.
    private struct Part {
        let text: TypedText
        let style: TextStyle

        var height: Double {
            text.lines.reduce(0) { $0 + max($1.height, style.height) + style.leading }
        }
    }

    /// The quiet zone on each side, in modules. Source: ISO/IEC 18004, section 6.3.8.
    private static let quietZone = 4
    /// How large other languages than the first one are.
    private static let otherLanguages = 0.8
    private static let scales = stride(from: 1.0, through: 0.5, by: -0.05)

    private let card: PrintCard
    private let look: Look
    private let type: Typecase

    init(_ card: PrintCard, type: Typecase) {
        self.card = card
        look = Look(card.size)
        self.type = type
    }

    static func sheet(of size: PrintCard.Size) -> (width: Double, height: Double) {
        let look = Look(size)
        return (look.width, look.height)
    }

    /// - Throws: `tooLong` where not even small letters leave the codes room.
    func set(on press: PDFPress) throws(PrintError) {
        // A longer one would be cut off.
        guard card.texts.allSatisfy({ $0.utf8.count <= PrintLimits.pieceBytesMax }) else { throw .tooLong }
        for scale in Self.scales where set(on: press, scale: scale) { return press.endPage() }
        throw .tooLong
    }

    /// - Returns: false, and nothing is drawn, where the letters are too large.
    private func set(on press: PDFPress, scale: Double) -> Bool {
        let gap = look.letters.step * scale
        let column = (look.textWidth - gap * Double(max(card.codes.count - 1, 0))) / Double(max(card.codes.count, 1))
        let head =
            part(card.title, "Sans Bold", look.letters.title * scale, width: look.textWidth)
            + card.words.enumerated().flatMap { place, words in
                self.words(words, look.letters.step * scale * (place == 0 ? 1 : Self.otherLanguages))
            }
        let captions = card.codes.map { code in
            part(code.title, "Sans Bold", look.letters.caption * scale, width: column)
                + code.lines.flatMap { part($0, "Mono", look.letters.caption * scale, width: column) }
        }
        let top = look.margin + head.reduce(0) { $0 + $1.height } + gap
        let below = captions.map { $0.reduce(0) { $0 + $1.height } }.max() ?? 0
        let side = min(column, look.side.upperBound, look.height - look.margin - below - top)
        guard side >= look.side.lowerBound || card.codes.isEmpty else { return false }
        var y = look.margin
        for part in head { y = draw(part, x: look.margin, y: y, on: press) }
        for (index, code) in card.codes.enumerated() {
            let x = look.margin + Double(index) * (column + gap)
            draw(code, x: x, y: top, side: side, on: press)
            var y = top + side
            for part in captions[index] { y = draw(part, x: x, y: y, on: press) }
        }
        return true
    }

    private func words(_ words: PrintCard.Words, _ size: Double) -> [Part] {
        words.steps.enumerated().flatMap { index, step in
            part("\(index + 1). \(step)", "Sans", size, width: look.textWidth)
        } + (words.note.map { part($0, "Sans Bold", size, width: look.textWidth) } ?? [])
    }

    private func part(_ text: String, _ font: String, _ size: Double, width: Double) -> [Part] {
        let style = TextStyle(
            font: "\(font) \((size * 100).rounded() / 100)", height: size * 1.15, leading: size * 0.2, grey: 0)
        return PlainText(text).paragraphs.filter { !$0.isEmpty }.map { paragraph in
            let piece = paragraph.prefix(PrintLimits.pieceBytesMax)
            let direction = piece.withUnsafeBytes { bytes in
                pango_find_base_dir(bytes.bindMemory(to: CChar.self).baseAddress, Int32(bytes.count))
            }
            let text = TypedText(
                type, piece, style,
                direction: direction == PANGO_DIRECTION_RTL ? PANGO_DIRECTION_RTL : PANGO_DIRECTION_LTR,
                width: width, links: [])
            return Part(text: text, style: style)
        }
    }

    /// - Returns: where the next one begins.
    private func draw(_ part: Part, x: Double, y: Double, on press: PDFPress) -> Double {
        var y = y
        for line in part.text.lines {
            let height = max(line.height, part.style.height)
            press.show(line, of: part.text, x: x, y: y + height - line.height, grey: part.style.grey)
            y += height + part.style.leading
        }
        return y
    }

    private func draw(_ code: PrintCard.Code, x: Double, y: Double, side: Double, on press: PDFPress) {
        let module = side / Double(code.rows.count + 2 * Self.quietZone)
        let zone = Double(Self.quietZone) * module
        press.squares(code.rows, x: x + zone, y: y + zone, side: module)
    }
}
