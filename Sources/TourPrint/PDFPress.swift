import CPango

/// Writes the file, page by page. Lengths are points, from the left and from the top. Use from one thread at a time.
final class PDFPress {
    /// Collects the bytes that Cairo writes.
    private final class Sink {
        var bytes: [UInt8] = []
    }

    private let sink = Sink()
    private let surface: OpaquePointer
    private let cairo: OpaquePointer

    /// - Parameter title: on one line; an empty one is not set.
    /// - Parameter size: of the paper.
    init(title: String, size: (width: Double, height: Double) = (Sheet.width, Sheet.height)) {
        // On failure Cairo gives a surface that accepts everything and reports the error at the end.
        surface = cairo_pdf_surface_create_for_stream(
            { closure, data, count in
                guard let closure, let data else { return CAIRO_STATUS_WRITE_ERROR }
                let sink = Unmanaged<Sink>.fromOpaque(closure).takeUnretainedValue()
                guard sink.bytes.count + Int(count) <= PrintLimits.fileBytesMax else { return CAIRO_STATUS_WRITE_ERROR }
                sink.bytes.append(contentsOf: UnsafeBufferPointer(start: data, count: Int(count)))
                return CAIRO_STATUS_SUCCESS
            }, Unmanaged.passUnretained(sink).toOpaque(), size.width, size.height)
        cairo_pdf_surface_set_metadata(surface, CAIRO_PDF_METADATA_CREATOR, "tour-chat")
        if !title.isEmpty { cairo_pdf_surface_set_metadata(surface, CAIRO_PDF_METADATA_TITLE, title) }
        cairo = cairo_create(surface)
    }

    deinit {
        cairo_destroy(cairo)
        // Nothing is written any more by then, unless the document was never finished.
        cairo_surface_finish(surface)
        cairo_surface_destroy(surface)
    }

    func prepare(_ type: Typecase) { type.match(cairo) }

    /// - Parameter x: of the left end of the text's width.
    /// - Parameter y: of the line's top.
    func show(_ line: TypedText.Line, of text: TypedText, x: Double, y: Double, grey: Double) {
        cairo_set_source_rgb(cairo, grey, grey, grey)
        cairo_move_to(cairo, x + line.x, y + line.ascent)
        text.draw(line, on: cairo)
    }

    func rule(x: Double, y: Double, width: Double) {
        cairo_set_source_rgb(cairo, 0.7, 0.7, 0.7)
        cairo_rectangle(cairo, x, y, width, 0.6)
        cairo_fill(cairo)
    }

    /// Black squares of this side where the rows say so; together, so that no line shows between them.
    func squares(_ rows: [[Bool]], x: Double, y: Double, side: Double) {
        cairo_set_source_rgb(cairo, 0, 0, 0)
        for (row, isDark) in rows.enumerated() {
            var column = 0
            while column < isDark.count {
                guard isDark[column] else {
                    column += 1
                    continue
                }
                let end = isDark[column...].firstIndex(of: false) ?? isDark.count
                cairo_rectangle(
                    cairo, x + Double(column) * side, y + Double(row) * side, Double(end - column) * side, side)
                column = end
            }
        }
        cairo_fill(cairo)
    }

    /// - Parameter target: ASCII without quotes and backslashes.
    func link(to target: String, x: ClosedRange<Double>, y: Double, height: Double) {
        let numbers = [x.lowerBound, y, x.upperBound - x.lowerBound, height].map { Self.decimal($0) }
        cairo_tag_begin(cairo, CAIRO_TAG_LINK, "rect=[\(numbers.joined(separator: " "))] uri='\(target)'")
        cairo_tag_end(cairo, CAIRO_TAG_LINK)
    }

    /// With a decimal point in every language, and without an exponent.
    private static func decimal(_ number: Double) -> String {
        let hundredths = Int((max(number, 0) * 100).rounded())
        let rest = hundredths % 100
        return "\(hundredths / 100).\(rest < 10 ? "0" : "")\(rest)"
    }

    func endPage() { cairo_show_page(cairo) }

    func finish() throws(PrintError) -> [UInt8] {
        let drawn = cairo_status(cairo)
        cairo_surface_finish(surface)
        for status in [drawn, cairo_surface_status(surface)] where status != CAIRO_STATUS_SUCCESS {
            // The sink refuses bytes only if there are too many: no other write can fail.
            guard status != CAIRO_STATUS_WRITE_ERROR else { throw .tooLong }
            throw .failed(reason: cairo_status_to_string(status).map { String(cString: $0) } ?? "\(status)")
        }
        return sink.bytes
    }
}
