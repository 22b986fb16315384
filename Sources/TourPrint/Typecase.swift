import CPango

/// The look of a text.
struct TextStyle {
    /// In Pango's notation; the size is in points.
    let font: String
    /// In points: the least height of a line, so that scripts with small and with large letters line up; and the
    /// space between two lines.
    let height: Double
    let leading: Double
    /// 0 black to 1 white.
    let grey: Double

    static let title = TextStyle(font: "Sans Bold 20", height: 24, leading: 3, grey: 0)
    static let detail = TextStyle(font: "Sans 9", height: 11, leading: 2, grey: 0.35)
    static let heading = TextStyle(font: "Sans Bold 13", height: 16, leading: 3, grey: 0)
    static let text = TextStyle(font: "Sans 10.5", height: 13, leading: 3, grey: 0)
    static let entry = TextStyle(font: "Sans Bold 11", height: 13, leading: 3, grey: 0)
}

/// Sets text: fonts, and their selection. Use from one thread at a time.
final class Typecase {
    private let fonts: OpaquePointer
    private let context: OpaquePointer

    /// - Parameter language: BCP 47; an invalid name is ignored.
    init(language: String?) {
        fonts = pango_cairo_font_map_new()
        context = pango_font_map_create_context(fonts)
        // One point a unit: a file has no screen resolution.
        pango_cairo_context_set_resolution(context, 72)
        pango_context_set_round_glyph_positions(context, 0)
        let letters = language?.utf8.prefix(PrintLimits.languageBytesMax + 1) ?? "".utf8[...]
        let isName = letters.allSatisfy {
            $0 == UInt8(ascii: "-") || $0 < 0x80 && Character(Unicode.Scalar($0)).isLetter
        }
        if let language, isName, (2...PrintLimits.languageBytesMax).contains(letters.count) {
            pango_context_set_language(context, pango_language_from_string(language))
        }
    }

    deinit {
        g_object_unref(UnsafeMutableRawPointer(context))
        g_object_unref(UnsafeMutableRawPointer(fonts))
    }

    /// Measures text as it will be drawn there.
    func match(_ cairo: OpaquePointer) { pango_cairo_update_context(cairo, context) }

    var hasLetters: Bool { hasGlyphs(of: "aZ1") }

    /// Whether a font has the letter, or it needs none; the first of many marks on it count.
    func has(_ letter: Character) -> Bool {
        let scalars = letter.unicodeScalars.prefix(Self.scalarsMax)
            .filter { !$0.properties.isDefaultIgnorableCodePoint && !$0.properties.isWhitespace && $0.value > 0x9F }
        return scalars.isEmpty || hasGlyphs(of: String(String.UnicodeScalarView(scalars)))
    }

    private static let scalarsMax = 16

    private func hasGlyphs(of text: String) -> Bool {
        TypedText(self, Array(text.utf8)[...], .text, direction: PANGO_DIRECTION_LTR, width: 100, links: [])
            .hasEveryGlyph
    }

    func layout(_ direction: PangoDirection) -> OpaquePointer {
        pango_context_set_base_dir(context, direction)
        return pango_layout_new(context)
    }
}

/// A piece of one paragraph, broken into lines.
final class TypedText {
    /// One line, in points; valid for as long as its text.
    struct Line {
        fileprivate let pointer: UnsafeMutablePointer<PangoLayoutLine>
        /// In bytes of the text.
        let range: Range<Int>
        /// From the left end of the text's width.
        let x: Double
        let width: Double
        let height: Double
        /// From the top of the line to its baseline.
        let ascent: Double
    }

    private let layout: OpaquePointer
    private(set) var lines: [Line] = []

    /// - Parameter text: no longer than `PrintLimits.pieceBytesMax`.
    /// - Parameter width: in points.
    /// - Parameter links: their places in `text`, by its own indices.
    init(
        _ type: Typecase, _ text: ArraySlice<UInt8>, _ style: TextStyle, direction: PangoDirection, width: Double,
        links: [PrintedLink]
    ) {
        layout = type.layout(direction)
        let font = pango_font_description_from_string(style.font)
        pango_layout_set_font_description(layout, font)
        pango_font_description_free(font)
        pango_layout_set_width(layout, Int32(width * Double(PANGO_SCALE)))
        pango_layout_set_wrap(layout, PANGO_WRAP_WORD_CHAR)
        // The paragraph has one direction, even if it is set in pieces.
        pango_layout_set_auto_dir(layout, 0)
        pango_layout_set_alignment(layout, direction == PANGO_DIRECTION_RTL ? PANGO_ALIGN_RIGHT : PANGO_ALIGN_LEFT)
        text.withUnsafeBytes { bytes in
            pango_layout_set_text(layout, bytes.bindMemory(to: CChar.self).baseAddress, Int32(bytes.count))
        }
        mark(links, in: text.startIndex..<text.endIndex)
        readLines()
    }

    deinit { g_object_unref(UnsafeMutableRawPointer(layout)) }

    var hasEveryGlyph: Bool { pango_layout_get_unknown_glyphs_count(layout) == 0 }

    /// Links are blue and underlined.
    private func mark(_ links: [PrintedLink], in range: Range<Int>) {
        guard let list = pango_attr_list_new() else { return }
        // A long word that is broken is often a code or an address, so it gets no hyphen.
        if let attribute = pango_attr_insert_hyphens_new(0) { pango_attr_list_insert(list, attribute) }
        for link in links {
            let part = link.range.clamped(to: range)
            guard !part.isEmpty else { continue }
            for attribute in [
                pango_attr_foreground_new(0x0B0B, 0x5757, 0xD0D0), pango_attr_underline_new(PANGO_UNDERLINE_SINGLE),
            ] {
                guard let attribute else { continue }
                attribute.pointee.start_index = UInt32(part.lowerBound - range.lowerBound)
                attribute.pointee.end_index = UInt32(part.upperBound - range.lowerBound)
                pango_attr_list_insert(list, attribute)
            }
        }
        pango_layout_set_attributes(layout, list)
        pango_attr_list_unref(list)
    }

    private func readLines() {
        guard let iterator = pango_layout_get_iter(layout) else { return }
        defer { pango_layout_iter_free(iterator) }
        let scale = Double(PANGO_SCALE)
        repeat {
            guard let line = pango_layout_iter_get_line_readonly(iterator) else { continue }
            var logical = PangoRectangle()
            pango_layout_iter_get_line_extents(iterator, nil, &logical)
            let start = Int(line.pointee.start_index)
            lines.append(
                Line(
                    pointer: line, range: start..<start + Int(line.pointee.length), x: Double(logical.x) / scale,
                    width: Double(logical.width) / scale, height: Double(logical.height) / scale,
                    ascent: Double(pango_layout_iter_get_baseline(iterator) - logical.y) / scale))
        } while pango_layout_iter_next_line(iterator) != 0
    }

    /// Draws the line at the page's current point.
    func draw(_ line: Line, on cairo: OpaquePointer) { pango_cairo_show_layout_line(cairo, line.pointer) }

    /// The places of these bytes in the line, from the left end of the width, in points: several where the direction
    /// changes.
    func places(of bytes: Range<Int>, in line: Line) -> [ClosedRange<Double>] {
        var ranges: UnsafeMutablePointer<Int32>?
        var count: Int32 = 0
        pango_layout_line_get_x_ranges(
            line.pointer, Int32(bytes.lowerBound), Int32(bytes.upperBound), &ranges, &count)
        guard let ranges else { return [] }
        defer { g_free(ranges) }
        return (0..<Int(count)).map { index in
            let ends = [ranges[2 * index], ranges[2 * index + 1]].map { Double($0) / Double(PANGO_SCALE) }
            return min(ends[0], ends[1])...max(ends[0], ends[1])
        }
    }
}
