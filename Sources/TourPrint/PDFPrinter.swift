import Synchronization

/// Prints documents as PDF files: A4, any script, each paragraph in its own direction, clickable links.
/// Source: PDF 1.5, as Cairo writes it.
package enum PDFPrinter {
    /// Whether this computer can print: it has the libraries and a font. The first call takes some time.
    package static var isAvailable: Bool { PrintLibraries.canPrint }

    /// All threads share the fonts, and the libraries below are not safe for two threads at once.
    private static let press = Mutex(())

    /// Takes some milliseconds a page: call it where that delays nobody. Any thread may call; documents are printed
    /// one after the other.
    /// - Returns: the bytes of the file.
    package static func pdf(_ document: PrintDocument) throws(PrintError) -> [UInt8] {
        guard document.textBytes <= PrintLimits.textBytesMax else { throw .tooLong }
        guard isAvailable else { throw .unavailable }
        return try press.withLock { _ throws(PrintError) in try printed(document) }
    }

    /// The same of a card, which has one page.
    package static func pdf(_ card: PrintCard) throws(PrintError) -> [UInt8] {
        guard card.textBytes <= PrintLimits.cardBytesMax else { throw .tooLong }
        guard isAvailable else { throw .unavailable }
        return try press.withLock { _ throws(PrintError) in
            let type = Typecase(language: card.language)
            let press = PDFPress(title: PlainText(card.title).line, size: CardSetter.sheet(of: card.size))
            press.prepare(type)
            try CardSetter(card, type: type).set(on: press)
            return try press.finish()
        }
    }

    /// The letters of a document that no font here has, each once and in their order: boxes stand for them in print.
    /// - Parameter max: after so many no more are looked for.
    package static func lettersWithoutFont(in document: PrintDocument, max: Int) -> [Character] {
        guard document.textBytes <= PrintLimits.textBytesMax, isAvailable else { return [] }
        return press.withLock { _ in
            let type = Typecase(language: document.language)
            var seen: Set<Character> = []
            var missing: [Character] = []
            for letter in document.texts.joined() where missing.count < max && !letter.isASCII {
                if seen.insert(letter).inserted, !type.has(letter) { missing.append(letter) }
            }
            return missing
        }
    }

    private static func printed(_ document: PrintDocument) throws(PrintError) -> [UInt8] {
        let type = Typecase(language: document.language)
        // Each page shows the number of pages: a first pass counts them.
        var count = Typesetter(type: type, press: nil, pageCount: 0)
        try count.set(document)
        let press = PDFPress(title: PlainText(document.title).line)
        press.prepare(type)
        var print = Typesetter(type: type, press: press, pageCount: count.page)
        try print.set(document)
        return try press.finish()
    }
}
