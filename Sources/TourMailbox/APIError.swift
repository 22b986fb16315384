import TourCurl
import TourModel

/// A server's reason for a refusal. Two are equal when their codes are, whatever the words.
package struct Refusal: Hashable, Sendable, ExpressibleByStringLiteral {
    /// The server's code; `http` if it gave none.
    package let code: String
    /// The server's sentence for people; nil if it gave none.
    package let words: String?

    /// - Parameter words: shortened, and without control characters.
    package init(_ code: String, words: String? = nil) {
        self.code = String(code.prefix(64))
        let sentence = words.map { String($0.prefix(Self.wordsMax).filter { !$0.isNewline && !Self.isControl($0) }) }
        self.words = sentence.flatMap { $0.isEmpty ? nil : $0 }
    }

    package init(stringLiteral code: String) { self.init(code) }

    package static func == (left: Refusal, right: Refusal) -> Bool { left.code == right.code }

    package func hash(into hasher: inout Hasher) { hasher.combine(code) }

    /// Longer than any sentence; so that no server can fill a terminal.
    private static let wordsMax = 500

    private static func isControl(_ character: Character) -> Bool {
        character.unicodeScalars.contains { $0.properties.generalCategory == .control }
    }
}

/// Why a request to the server gave no answer. Source: `Protocol/09-mailbox.md`, "Failures".
package enum APIError: Fault, Hashable {
    /// How a connection can fail.
    package enum Network: String, Sendable {
        /// Unknown name, no route, or a closed port.
        case unreachable
        /// No byte was transferred for too long.
        case timeout
        /// The connection ended early, or its bytes made no sense.
        case broken
        case cancelled
    }

    /// The sign by which we noticed that something else answers in the server's place.
    package enum Sign: String, Sendable {
        case certificate, redirect, type, marker
    }

    /// The base is no address of a server.
    case invalidURL
    case network(Network)
    /// The server's answer has the right type, and cannot be decoded.
    case decoding
    /// Status 400 to 599.
    case http(status: Int, code: Refusal, retryAfter: Duration? = nil)
    /// Nobody is logged in, or the session is over.
    case unauthenticated
    /// Something else answers: a guest network's login page, most likely.
    case loginPage(Sign)
    /// The file that should contain authorities contains none.
    case badAuthority
    /// libcurl is not installed here.
    case noLibrary

    /// An exchange that failed on its way.
    package init(_ error: TransferError) {
        self =
            switch error.kind {
            case .unreachable: .network(.unreachable)
            case .timeout: .network(.timeout)
            case .broken: .network(.broken)
            case .cancelled: .network(.cancelled)
            case .certificate: .loginPage(.certificate)
            case .tooLong: .decoding
            case .badAuthority: .badAuthority
            case .noLibrary: .noLibrary
            }
    }

    /// Whether a new event is no reason to try again: only time, another network or the user's request is.
    package var waitsForTime: Bool {
        switch self {
        case .network, .loginPage, .http(_, "unknown-group", _), .http(_, "removed", _): true
        case .http(_, "account-disabled", _), .http(_, "banned", _): true
        case .invalidURL, .decoding, .http, .unauthenticated, .badAuthority, .noLibrary: false
        }
    }

    package var code: String {
        switch self {
        case .invalidURL: "mailbox-url"
        case .network: "mailbox-network"
        case .decoding: "mailbox-decoding"
        case .http(_, "unknown-group", _): "mailbox-unknown-group"
        case .http(_, "second-factor-needed", _): "mailbox-second-factor"
        case .http: "mailbox-http"
        case .unauthenticated: "mailbox-unauthenticated"
        case .loginPage: "mailbox-login-page"
        case .badAuthority: "mailbox-ca"
        case .noLibrary: "mailbox-library"
        }
    }

    package var scope: FaultScope { .record }
    package var english: String {
        switch self {
        case .invalidURL: "no address of a server"
        case .network(let network): "the server is out of reach (\(network.rawValue))"
        case .decoding: "the server's answer cannot be decoded"
        case .http(let status, let refusal, _): "the server refused (\(status) \(refusal.code))"
        case .unauthenticated: "nobody is logged in"
        case .loginPage(let sign): "something else answers in the server's place (\(sign.rawValue))"
        case .badAuthority: "the file of authorities holds no certificates"
        case .noLibrary: "libcurl is not installed"
        }
    }
}
