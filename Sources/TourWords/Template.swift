extension Phrase {
    /// A literal with places for values: its key has `{1}`, `{2}` … in place of interpolations.
    package struct Template: ExpressibleByStringInterpolation, Hashable, Sendable {
        fileprivate enum Argument: Hashable, Sendable {
            case text(String)
            case phrase(Phrase)
        }

        /// The English text with numbered places: the key of its translations.
        package let key: String
        private let arguments: [Argument]

        package init(stringLiteral: String) {
            key = stringLiteral
            arguments = []
        }

        package init(stringInterpolation: StringInterpolation) {
            key = stringInterpolation.key
            arguments = stringInterpolation.arguments
        }

        /// Collects the key and the values of a literal.
        package struct StringInterpolation: StringInterpolationProtocol {
            fileprivate var key = ""
            fileprivate var arguments: [Argument] = []

            package init(literalCapacity: Int, interpolationCount: Int) { key.reserveCapacity(literalCapacity * 2) }

            /// Appends text to the key.
            package mutating func appendLiteral(_ literal: String) { key += literal }

            /// Appends a place for a text.
            package mutating func appendInterpolation(_ text: some StringProtocol) { append(.text(String(text))) }

            /// Appends a place for a number.
            package mutating func appendInterpolation(_ number: some BinaryInteger) { append(.text("\(number)")) }

            /// Appends a place for a phrase, which is translated.
            package mutating func appendInterpolation(_ phrase: Phrase) { append(.phrase(phrase)) }

            private mutating func append(_ argument: Argument) {
                arguments.append(argument)
                key += "{\(arguments.count)}"
            }
        }

        /// - Parameter text: with numbered places; a place without a value stays as it is written.
        func filled(_ text: String, _ language: Language) -> String {
            guard !arguments.isEmpty else { return text }
            var filled = ""
            var rest = text[...]
            while let start = rest.firstIndex(of: "{") {
                filled += rest[..<start]
                rest = rest[start...]
                guard let end = rest.firstIndex(of: "}"), let number = Int(rest[rest.index(after: start)..<end]),
                    arguments.indices.contains(number - 1)
                else {
                    filled.append("{")
                    rest = rest.dropFirst()
                    continue
                }
                switch arguments[number - 1] {
                case .text(let text): filled += text
                case .phrase(let phrase): filled += phrase.said(in: language)
                }
                rest = rest[rest.index(after: end)...]
            }
            return filled + rest
        }
    }
}
