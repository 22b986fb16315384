import TourMailbox
import TourWords

/// Who reads the answer to the present request: in which language, and on which surface.
package struct Reader: Sendable {
    /// The language that the request asks for.
    package var language: Language
    /// Where the answer appears.
    package var surface: any Surface

    package init(_ language: Language, on surface: any Surface) {
        self.language = language
        self.surface = surface
    }

    /// The reader that the present task answers; outside any request, logs in English.
    @TaskLocal package static var current = Reader(.english, on: PlainSurface())

    /// Does the work as an answer to this reader; a server that it asks gets to know the language.
    package func answered<Result: Sendable>(_ work: () async throws -> Result) async rethrows -> Result {
        try await Self.$current.withValue(self) {
            try await APIClient.$readerLanguage.withValue(language == .english ? nil : language.rawValue) {
                try await work()
            }
        }
    }
}

extension Phrase {
    /// In the language of the present reader.
    package var spoken: String { said(in: Reader.current.language) }
}
