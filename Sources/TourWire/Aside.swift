import SwiftProtobuf
import TourModel

/// A word that only those named can open: between one person and the members who lead. Source:
/// `Protocol/05-events.md`, "Asides".
package struct Aside: Hashable, Sendable {
    /// Somebody who can open it.
    package struct Reader: Hashable, Sendable {
        /// The first eight bytes of the member's id.
        package var member: UInt64
        /// The sequence of the event that published the wrapping key used; 0: the key of the admission.
        package var generation: UInt64
        /// The word's key under that wrapping key: `Limits.wrappedKeyBytes` bytes.
        package var wrap: [UInt8]

        package init(member: UInt64, generation: UInt64, wrap: [UInt8]) {
            self.member = member
            self.generation = generation
            self.wrap = wrap
        }
    }

    /// Sorted by the first bytes of their ids, ascending: 1 to `Limits.asideReadersMax`.
    package var readers: [Reader]
    /// An `AsideWord`, padded and sealed.
    package var sealed: [UInt8]

    /// - Parameter readers: ascending, no two with the same first bytes.
    package init(readers: [Reader], sealed: [UInt8]) {
        self.readers = readers
        self.sealed = sealed
    }
}

/// An aside, once opened.
package struct AsideWord: Hashable, Sendable {
    /// The member with whom those who lead speak.
    package var person: MemberID
    /// A text, an alarm, or an answer to one.
    package var content: Content

    /// - Parameter content: a text of at most `Limits.asideTextBytesMax` bytes, an alarm or an answer to one.
    package init(person: MemberID, content: Content) {
        self.person = person
        self.content = content
    }
}

extension AsideWord {
    /// The length in front, in bytes.
    private static let prefixBytes = 2

    /// The plaintext to seal: the length (2, big-endian), the body, and zeros, so that a short word, a long one and a
    /// call for help differ little.
    package func encode() -> [UInt8] {
        let body = encoded(
            WireAsideBody.with {
                $0.person = person.data
                $0.content = wireData(content.encode())
            })
        let count = Self.prefixBytes + body.count
        let padding = [UInt8](repeating: 0, count: Padding.size(count) - count)
        return [UInt8(truncatingIfNeeded: body.count >> 8), UInt8(truncatingIfNeeded: body.count)] + body + padding
    }

    /// - Returns: nil for bytes that are no such word, and for contents that no aside has.
    package init?(decoding bytes: [UInt8]) {
        guard bytes.count >= Self.prefixBytes else { return nil }
        let count = Int(bytes[0]) << 8 | Int(bytes[1])
        guard bytes.count >= Self.prefixBytes + count,
            let wire = decoded(WireAsideBody.self, bytes[Self.prefixBytes..<Self.prefixBytes + count]),
            let person = MemberID(wire.person), let content = try? Content(decoding: wire.content.array)
        else { return nil }
        switch content {
        case .text(let text, _): guard text.utf8.count <= Limits.asideTextBytesMax else { return nil }
        case .alarm, .alarmAnswer: break
        default: return nil
        }
        self.init(person: person, content: content)
    }
}

extension Aside {
    init?(_ wire: WireAside) {
        let count = wire.readers.count
        guard (1...Limits.asideReadersMax).contains(count), wire.generations.count == count,
            wire.wraps.count == count * Limits.wrappedKeyBytes,
            zip(wire.readers, wire.readers.dropFirst()).allSatisfy({ $0 < $1 })
        else { return nil }
        let wraps = wire.wraps.array
        self.init(
            readers: wire.readers.indices.map { index in
                Reader(
                    member: wire.readers[index], generation: wire.generations[index],
                    wrap: Array(wraps[index * Limits.wrappedKeyBytes..<(index + 1) * Limits.wrappedKeyBytes]))
            },
            sealed: wire.sealed.array)
    }

    var wire: WireAside {
        .with {
            $0.readers = readers.map(\.member)
            $0.generations = readers.map(\.generation)
            $0.wraps = wireData(readers.flatMap(\.wrap))
            $0.sealed = wireData(sealed)
        }
    }
}
