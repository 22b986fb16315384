import Foundation
import Logging
import NIOHTTP1
import ServerBase
import ServerStorage
import Synchronization
import TourCurl

/// Another service whose tokens this server accepts, identified by its name and its public keys.
package final class OutsideIssuer: Sendable {
    /// Names the issuer, and the tokens of it that are meant for this server.
    package struct Settings: Sendable {
        /// The `iss` of its tokens.
        let issuer: String
        /// A file's path or an `https` address.
        let keySet: String
        /// The names of this server at the issuer: a token with an `aud` must name one of them.
        let audiences: Set<String>
        /// The names of this server's apps at the issuer: a token with an `azp` must name one of them.
        let parties: Set<String>

        /// - Parameter keySet: a file's path or an `https` address.
        package init(issuer: String, keySet: String, audiences: [String], parties: [String]) {
            self.issuer = issuer
            self.keySet = keySet
            self.audiences = Set(audiences)
            self.parties = Set(parties)
        }
    }

    private struct Loaded {
        var keys: KeySet
        /// Seconds since 1970.
        var at: Int64
    }

    let issuer: String
    private let settings: Settings
    /// nil: the key set is a file.
    private let transport: (any HTTPTransport)?
    private let loaded: Mutex<Loaded>
    private let logger: Logger

    /// Reads the key set.
    /// - Throws: `unavailable` when the key set cannot be read, or holds a key of an unknown kind.
    package init(settings: Settings, now: Int64, logger: Logger) async throws(Failure) {
        self.logger = logger
        issuer = settings.issuer
        self.settings = settings
        do throws(TransferError) {
            // It follows no redirect: only the server that was named has the keys.
            transport = settings.keySet.lowercased().hasPrefix("https://") ? try CurlTransport() : nil
        } catch {
            throw Failure(error, settingUp: "the key set at \(settings.keySet)")
        }
        let keys = try await Self.keys(settings.keySet, transport)
        loaded = Mutex(Loaded(keys: keys, at: now / 1_000_000))
    }

    /// - Returns: the `sub` of a valid token of this issuer; nil for any other.
    func subject(of token: String, now: Int64) async -> String? {
        // Anybody can write that name: until the signature is checked it only says whose keys to ask.
        guard let token = SignedToken(token), let payload = token.claims(as: OutsideToken.self), payload.iss == issuer
        else { return nil }
        let seconds = now / 1_000_000
        let known = loaded.withLock { $0 }
        var isSigned = known.keys.verifies(token)
        // The issuer may have a new key: read its set again, but at most once in `keySetInterval` for all callers.
        if !isSigned, seconds - known.at >= ServerLimits.keySetInterval {
            loaded.withLock { $0.at = seconds }
            do throws(Failure) {
                let fresh = try await Self.keys(settings.keySet, transport)
                loaded.withLock { $0.keys = fresh }
                isSigned = fresh.verifies(token)
            } catch {
                logger.error("the issuer's keys of before still count", metadata: ["cause": "\(error)"])
                return nil
            }
        }
        guard isSigned, payload.exp > Double(seconds),
            (payload.nbf ?? 0) <= Double(seconds + ServerLimits.clockLeewayMax),
            (1...ServerLimits.outsideNameBytesMax).contains(payload.sub.utf8.count), isForUs(payload)
        else { return nil }
        return payload.sub
    }

    /// Whether the token was made for this server, by at least one of `aud` and `azp`. A token that a user gave another
    /// service opens nothing here.
    private func isForUs(_ payload: OutsideToken) -> Bool {
        guard payload.audiences != nil || payload.azp != nil else { return false }
        if let audiences = payload.audiences, settings.audiences.isDisjoint(with: audiences) { return false }
        if let party = payload.azp, !settings.parties.contains(party) { return false }
        return true
    }

    private static func keys(
        _ keySet: String, _ transport: (any HTTPTransport)?
    ) async throws(Failure) -> KeySet {
        let json: String
        do {
            // Anybody on the path could change a key set that arrives without TLS.
            guard !keySet.lowercased().hasPrefix("http://") else { throw Failure(.unavailable) }
            if let transport {
                var request = OutgoingRequest(method: .GET, address: keySet)
                request.timeout = ServerLimits.keySetTimeout
                request.answerMax = ServerLimits.keySetBytesMax
                let reply = try await transport.send(request)
                guard reply.status == 200 else { throw Failure(.unavailable) }
                json = String(decoding: reply.body, as: UTF8.self)
            } else {
                json = try String(contentsOfFile: keySet, encoding: .utf8)
            }
        } catch {
            throw Failure(.unavailable, cause: "the key set \(keySet) cannot be read, or is not at https")
        }
        do throws(Failure) {
            return try KeySet(json: Data(json.utf8))
        } catch {
            throw Failure(.unavailable, cause: "\(keySet): \(error)")
        }
    }
}

/// The claims that the server reads of an outside token.
private struct OutsideToken: Decodable {
    let iss: String
    let sub: String
    /// Seconds since 1970, with or without a fraction.
    let exp: Double
    let nbf: Double?
    let azp: String?
    private let aud: Audiences?

    var audiences: [String]? { aud?.names }

    /// One name, or an array of names.
    private struct Audiences: Decodable {
        let names: [String]

        init(from decoder: any Decoder) throws {
            let container = try decoder.singleValueContainer()
            names = try (try? [container.decode(String.self)]) ?? container.decode([String].self)
        }
    }
}

/// The names by which outside issuers know accounts, inside one transaction. It owns the rows of `outside_names`.
struct OutsideNameRows {
    let sql: any SQL

    func account(issuer: String, subject: String) throws(Failure) -> Account? {
        let row = try sql.row(
            """
            SELECT \(Account.columns) FROM accounts JOIN outside_names ON outside_names.account = accounts.id
            WHERE outside_names.issuer = $1 AND outside_names.subject = $2
            """, [.text(issuer), .text(subject)])
        guard let row else { return nil }
        return try Account(row)
    }

    /// The account of a user whom the issuer sends for the first time.
    func add(issuer: String, subject: String, now: Int64) throws(Failure) -> Account {
        // Two first requests at once create one account.
        if let account = try account(issuer: issuer, subject: subject) { return account }
        let account = try AccountRows(sql: sql).add(now: now)
        try sql.run(
            "INSERT INTO outside_names (issuer, subject, account) VALUES ($1, $2, $3)",
            [.text(issuer), .text(subject), .integer(account.id)])
        return try self.account(issuer: issuer, subject: subject) ?? account
    }
}

/// The names by which outside issuers know an account.
package struct OutsideNameHolding: SmallHolding {
    /// See `AccountHolding.name`.
    package let name = "outside_names"

    package init() {}

    private struct Name: Encodable {
        let issuer: String
        let subject: String
    }

    /// The names by which issuers know the account.
    package func export(of account: Account, in sql: any SQL) throws(Failure) -> any Encodable & Sendable {
        let statement = "SELECT issuer, subject FROM outside_names WHERE account = $1 ORDER BY issuer, subject"
        return try sql.rows(statement, [.integer(account.id)]).map { row throws(Failure) in
            Name(issuer: try row.text(0), subject: try row.text(1))
        }
    }

    /// Deletes these names.
    package func delete(of account: Account, in sql: any SQL) throws(Failure) {
        try sql.run("DELETE FROM outside_names WHERE account = $1", [.integer(account.id)])
    }
}
