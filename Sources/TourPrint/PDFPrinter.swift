import Synchronization

/// Prints documents as PDF files: A4, any script, each paragraph in its own direction, links that open.
/// Source: PDF 1.5, as Cairo writes it.
package enum PDFPrinter {
    /// Whether this computer can print: the libraries and a font are there. The first call takes some time.
    package static var isAvailable: Bool { PrintLibraries.canPrint }

    /// Fonts are shared by all threads, and the libraries below do not bear two of them at once.
    private static let press = Mutex(())

    /// Takes a while, some milliseconds a page: call it where that keeps nobody waiting. Any thread; one document after
    /// the other.
    /// - Returns: the bytes of the file.
    package static func pdf(_ document: PrintDocument) throws(PrintError) -> [UInt8] {
        guard document.textBytes <= PrintLimits.textBytesMax else { throw .tooLong }
        guard isAvailable else { throw .unavailable }
        return try press.withLock { _ throws(PrintError) in try printed(document) }
    }

    private static func printed(_ document: PrintDocument) throws(PrintError) -> [UInt8] {
        let type = Typecase(language: document.language)
        // Each page says how many there are: they are counted first.
        var count = Typesetter(type: type, press: nil, pageCount: 0)
        try count.set(document)
        let press = PDFPress(title: PlainText(document.title).line)
        press.prepare(type)
        var print = Typesetter(type: type, press: press, pageCount: count.page)
        try print.set(document)
        return try press.finish()
    }
}
