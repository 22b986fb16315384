import AsyncHTTPClient
import Foundation
import NIOCore
import NIOHTTP1

/// Sends through Twilio's REST API: one form, posted with the account's id and token.
/// Source: Twilio, "Messages resource".
package struct TwilioSender: SMSSender {
    /// The account at Twilio.
    package struct Settings: Sendable, CustomStringConvertible {
        /// The address of the API, without a slash at the end; `https://api.twilio.com` unless the operator sets
        /// another.
        package let base: String
        let account: String
        let token: String
        /// A phone number of the account, or an alphanumeric sender.
        let from: String

        /// - Parameter from: a phone number of the account, or an alphanumeric sender.
        package init(base: String, account: String, token: String, from: String) {
            self.base = base
            self.account = account
            self.token = token
            self.from = from
        }

        /// Leaves out the token: a service manager may write settings into its log.
        package var description: String { "Twilio account \(account)" }
    }

    private let settings: Settings
    private let client: HTTPClient

    /// - Parameter client: must not follow redirections.
    package init(settings: Settings, client: HTTPClient) {
        self.settings = settings
        self.client = client
    }

    /// Sends one message.
    /// - Throws: `smsFailed` when Twilio refuses the message or does not answer in `ServerLimits.smsTimeout`.
    package func send(_ text: String, to phone: PhoneNumber) async throws(Failure) {
        var request = HTTPClientRequest(
            url: "\(settings.base)/2010-04-01/Accounts/\(settings.account)/Messages.json")
        request.method = .POST
        let login = Data("\(settings.account):\(settings.token)".utf8).base64EncodedString()
        request.headers.add(name: "Authorization", value: "Basic " + login)
        request.headers.add(name: "Content-Type", value: "application/x-www-form-urlencoded")
        request.body = .bytes(
            ByteBuffer(string: Self.form([("To", phone.text), ("From", settings.from), ("Body", text)])))
        do {
            let response = try await client.execute(request, timeout: .init(ServerLimits.smsTimeout))
            // The body is read to free the connection; its content is not needed.
            _ = try await response.body.collect(upTo: 64 * 1024)
            guard (200..<300).contains(response.status.code) else {
                throw Failure(.smsFailed, cause: "Twilio answered \(response.status.code)")
            }
        } catch let failure as Failure {
            throw failure
        } catch {
            throw Failure(.smsFailed, cause: "Twilio is out of reach: \(type(of: error))")
        }
    }

    /// The fields as `application/x-www-form-urlencoded`.
    /// Source: WHATWG URL, section 5.2.
    private static func form(_ fields: [(String, String)]) -> String {
        fields.map { escaped($0.0) + "=" + escaped($0.1) }.joined(separator: "&")
    }

    private static func escaped(_ text: String) -> String {
        let digits = Array("0123456789ABCDEF")
        return text.utf8.reduce(into: "") { result, byte in
            let character = Character(Unicode.Scalar(byte))
            if byte < 0x80, character.isLetter || character.isNumber || "-._*".contains(character) {
                result.append(character)
            } else {
                result += ["%", digits[Int(byte >> 4)], digits[Int(byte & 15)]]
            }
        }
    }
}
