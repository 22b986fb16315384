import Foundation
import NIOHTTP1
import ServerBase
import ServerRequests
import TourCurl

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
    private let transport: any HTTPTransport

    /// Only the service that was named gets the token and the messages: the transport follows no redirect.
    package init(settings: Settings, transport: any HTTPTransport) {
        self.settings = settings
        self.transport = transport
    }

    /// A sender by libcurl.
    /// - Throws: `unavailable` where that is not installed.
    package init(settings: Settings) throws(Failure) {
        do throws(TransferError) {
            self.init(settings: settings, transport: try CurlTransport())
        } catch {
            throw Failure(error, settingUp: "--sms twilio")
        }
    }

    /// Sends one message.
    /// - Throws: `smsFailed` when Twilio refuses the message or does not answer in `ServerLimits.smsTimeout`.
    package func send(_ text: String, to phone: PhoneNumber) async throws(Failure) {
        let login = Data("\(settings.account):\(settings.token)".utf8).base64EncodedString()
        var request = OutgoingRequest(
            method: .POST, address: "\(settings.base)/2010-04-01/Accounts/\(settings.account)/Messages.json",
            headers: ["Authorization": "Basic " + login, "Content-Type": "application/x-www-form-urlencoded"],
            body: Array(Self.form([("To", phone.text), ("From", settings.from), ("Body", text)]).utf8))
        request.isSentOnce = true
        request.timeout = ServerLimits.smsTimeout
        let status: Int
        do throws(TransferError) {
            status = try await transport.send(request).status
        } catch {
            throw Failure(.smsFailed, cause: "Twilio is out of reach: \(error)")
        }
        guard (200..<300).contains(status) else {
            throw Failure(.smsFailed, cause: "Twilio answered \(status)")
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
