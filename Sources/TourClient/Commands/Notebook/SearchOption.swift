import ArgumentParser
import TourModel
import TourWords

/// `--search`: only items that contain all these words, regardless of case and accents.
struct SearchOption: ParsableArguments {
    @Option(help: ArgumentHelp(Phrase("Only those with all these words in them."), valueName: "words"))
    var search: String?

    func fits(_ texts: [String]) -> Bool {
        guard let search else { return true }
        let folded = texts.map { FoldedText.of($0) }
        return FoldedText.of(search).split(whereSeparator: \.isWhitespace).allSatisfy { word in
            folded.contains { $0.contains(word) }
        }
    }
}

extension SearchOption {
    /// In the form that is compared.
    static func folded(_ text: String) -> String { FoldedText.of(text) }
}
