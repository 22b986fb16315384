import ArgumentParser
import TourModel
import TourWords

/// The rule for display names and names of tours; the node checks it again.
package enum NameRule {
    /// - Throws: `ValidationError`, worded for the user.
    package static func check(_ name: String) throws {
        if name.isBlank { throw ValidationError(Phrase("A name cannot be empty.")) }
        if name.unicodeScalars.contains(where: { $0.properties.generalCategory == .control }) {
            throw ValidationError(Phrase("A name cannot hold control characters (an arrow key?)."))
        }
        if name.utf8.count > Limits.nameBytesMax {
            throw ValidationError(
                Phrase("A name has at most \(Limits.nameBytesMax) bytes; this one has \(name.utf8.count)."))
        }
    }
}
