import Foundation
import Logging

/// A log of one JSON object a line: `time` by RFC 3339, `level`, `message`, `request` where the line is about one, and
/// `metadata`. It says what the other form says, and nothing more.
package struct JSONLogHandler: LogHandler {
    /// The lowest level that is written.
    package var logLevel = Logger.Level.info
    /// The metadata of every line.
    package var metadata: Logger.Metadata = [:]

    private let write: @Sendable (String) -> Void

    /// - Parameter write: receives each line, without its end.
    package init(write: @escaping @Sendable (String) -> Void) { self.write = write }

    /// One entry of `metadata`.
    package subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { metadata[key] }
        set { metadata[key] = newValue }
    }

    private struct Line: Encodable {
        var time: String
        var level: String
        var message: String
        var request: String?
        var metadata: [String: Content]?
    }

    private enum Content: Encodable {
        case text(String)
        case list([Content])
        case object([String: Content])

        init(_ value: Logger.Metadata.Value) {
            switch value {
            case .string(let text): self = .text(text)
            case .stringConvertible(let value): self = .text(value.description)
            case .array(let values): self = .list(values.map(Content.init))
            case .dictionary(let values): self = .object(values.mapValues(Content.init))
            }
        }

        func encode(to encoder: any Encoder) throws {
            switch self {
            case .text(let text): try text.encode(to: encoder)
            case .list(let contents): try contents.encode(to: encoder)
            case .object(let contents): try contents.encode(to: encoder)
            }
        }
    }

    /// Writes one line.
    package func log(event: LogEvent) {
        var all = metadata.merging(event.metadata ?? [:]) { $1 }.mapValues(Content.init)
        var request: String?
        if case .text(let id) = all["request"] {
            request = id
            all["request"] = nil
        }
        let line = Line(
            time: Date().formatted(Date.ISO8601FormatStyle(includingFractionalSeconds: true)),
            level: event.level.rawValue, message: "\(event.message)", request: request,
            metadata: all.isEmpty ? nil : all)
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        guard let data = try? encoder.encode(line) else { return }
        write(String(decoding: data, as: UTF8.self))
    }
}
