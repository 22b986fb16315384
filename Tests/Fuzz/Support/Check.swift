import Glibc

/// The harnesses of one program, by the names that Scripts/fuzz and the folders of Corpus have.
package protocol FuzzTarget: RawRepresentable<String>, CaseIterable, Sendable {
    /// Plays one input; what breaks a property ends the process.
    func run(_ bytes: [UInt8])
}

/// Ends the process with these words unless the property holds: libFuzzer keeps the input then.
package func check(_ holds: Bool, _ words: @autoclosure () -> String) {
    guard !holds else { return }
    complain("PROPERTY BROKEN: \(words())")
    abort()
}

/// A line on standard error.
package func complain(_ text: String) {
    let line = Array((text + "\n").utf8)
    _ = write(2, line, line.count)
}
