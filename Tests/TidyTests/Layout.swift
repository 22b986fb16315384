/// Bodies and stored properties, as the layout shows them that `swift format` holds: the line that opens a body ends
/// with a brace, what is in it stands four columns further right, and the brace that closes it stands below the first
/// letter of the declaration.
extension SourceFile {
    /// A type with the stored properties that it has itself; those of types inside it count for these.
    struct TypeState: Equatable {
        let line: Int
        let name: String
        let properties: Int
    }

    /// The functions, initialisers, subscripts and computed properties with bodies of more than `max` lines: the line
    /// of the declaration, and how many lines stand between the braces.
    func bodies(longerThan max: Int) -> [(line: Int, length: Int)] {
        lines(with: ["func ", "init", "subscript", "var "]).compactMap { line in
            guard let body = body(of: line) else { return nil }
            let length = Self.newlines(in: code, body)
            // Last, since it takes longest.
            guard length > max, line.text.contains(Self.declaringBody) else { return nil }
            return (line.number, length)
        }
    }

    /// The types with more stored properties than `max`.
    func types(withPropertiesAbove max: Int) -> [TypeState] {
        lines(with: ["struct ", "class ", "enum ", "actor "]).compactMap { line in
            guard let body = body(of: line) else { return nil }
            let members = lines(with: ["let ", "var "], of: body)
                .filter { $0.indentation == line.indentation + 4 }
            guard members.count > max, let type = line.text.firstMatch(of: Self.declaringType) else { return nil }
            let properties = members.reduce(0) { $0 + storedProperties(of: $1) }
            return properties > max ? TypeState(line: line.number, name: String(type.1), properties: properties) : nil
        }
    }

    private static var declaringBody: Regex<Substring> {
        /(?:^|[^.\w`])(?:func|init|deinit|subscript)\b.*|\bvar\b[^=]*\{\s*$/
    }

    private static var declaringType: Regex<(Substring, Substring)> {
        /^\s*(?:@\w+\s+)*(?:\w+\s+)*?(?:struct|class|enum|actor)\s+`?(\w+)/
    }

    private static var declaringProperty: Regex<(Substring, Substring)> {
        /^[\s)]*(?:@\w+(?:\(.*?\))?\s+)*(?:(?!static|class)[a-z]+(?:\(\w+\))?\s+)*?(?:let|var)\s+(.*)$/
    }

    /// How many properties a line of a type stores: none where it declares something else, or a computed one.
    private func storedProperties(of line: Line) -> Int {
        guard let declared = line.text.firstMatch(of: Self.declaringProperty)?.1 else { return 0 }
        let beforeValue = declared.prefix { $0 != "=" }
        if beforeValue.contains("{") {
            let observed = String(declared) + (self.line(after: line)?.text ?? "")
            guard observed.contains("didSet") || observed.contains("willSet") else { return 0 }
        }
        var depth = 0
        var count = 1
        for character in beforeValue.replacing("->", with: "") {
            if "([<{".contains(character) { depth += 1 }
            if ")]>}".contains(character) { depth -= 1 }
            if character == ",", depth == 0 { count += 1 }
        }
        return count
    }

    /// The lines between the braces that a declaration opens; nil where it opens none, or closes them on its own line.
    private func body(of declaration: Line) -> Range<Int>? {
        var head = declaration
        while !head.text.hasOpenBrace {
            repeat {
                guard let next = line(after: head) else { return nil }
                head = next
            } while head.isBlank || head.indentation > declaration.indentation
            guard head.indentation == declaration.indentation, head.continuesDeclaration else { return nil }
        }
        let start = head.offset + head.text.utf8.count
        let brace = "\n" + String(repeating: " ", count: declaration.indentation) + "}"
        guard start < code.count, let end = Self.offset(of: brace, in: code, start..<code.count) else { return nil }
        return start + 1..<max(start, end) + 1
    }
}

extension SourceFile.Line {
    fileprivate var isBlank: Bool { indentation == text.utf8.count }

    /// Whether the declaration above goes on here, in its own column.
    fileprivate var continuesDeclaration: Bool {
        let rest = text.utf8.dropFirst(indentation)
        return [")", "{", "where", "throws", "async", "->"].contains { rest.starts(with: $0.utf8) }
    }
}

extension String {
    fileprivate var hasOpenBrace: Bool { utf8.last { $0 != UInt8(ascii: " ") } == UInt8(ascii: "{") }
}
