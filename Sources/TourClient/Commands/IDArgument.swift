import ArgumentParser
import TourModel
import TourWords

/// An id as typed: six or more of its hexadecimal digits.
package struct IDArgument: Hashable, Sendable {
    /// Lower case.
    package let text: String

    package init?(_ text: String) {
        let lower = text.withoutInvisibleMarks.lowercased()
        guard (6...64).contains(lower.utf8.count), lower.utf8.allSatisfy(Self.isHex) else { return nil }
        self.text = lower
    }

    private static func isHex(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "f"): true
        default: false
        }
    }
}

extension IDArgument {
    /// - Throws: `ValidationError`, worded for the user.
    package static func parse(_ text: String) throws -> IDArgument {
        guard let id = IDArgument(text) else {
            throw ValidationError(
                Phrase("An id is six or more of the digits that 'tour-chat messages' shows, such as 3fa2c1."))
        }
        return id
    }
}

extension DurationArgument: ExpressibleByArgument {
    package init?(argument: String) { self.init(argument) }
}
