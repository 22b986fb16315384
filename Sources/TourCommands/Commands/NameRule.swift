import ArgumentParser
import TourModel

/// What can be a display name or a tour's name; the node checks it again.
enum NameRule {
    /// - Throws: `ValidationError` in words for the person who typed it.
    static func check(_ name: String) throws {
        if name.allSatisfy(\.isWhitespace) { throw ValidationError("A name cannot be empty.") }
        if name.utf8.count > Limits.nameBytesMax {
            throw ValidationError("A name has at most \(Limits.nameBytesMax) bytes; this one has \(name.utf8.count).")
        }
    }
}
