import ServerAccounts
import ServerBase
import ServerRequests

/// One text message that an operator tries out.
package struct SMSTrial: Encodable, Sendable {
    /// The sender that was asked.
    package let sender: String
    /// Whether the sender has taken it.
    package let sent: Bool
    /// The sender's own words.
    package let words: String
    /// Advice.
    package let advice: String

    /// Sends a message for this trial alone.
    /// - Throws: `unavailable` where nothing sends text messages.
    package static func run(
        _ choice: ServerSettings.SMSChoice, to phone: PhoneNumber
    ) async throws(Failure) -> SMSTrial {
        let text = "This message shows that tour-server can send text messages."
        let (sender, name, success, advice): (any SMSSender, String, String, String)
        switch choice {
        case .log:
            throw Failure(
                .unavailable,
                cause: "sms is \"log\", which sends nothing: set it in the settings file, and name that by --config")
        case .twilio(let settings):
            sender = try TwilioSender(settings: settings)
            name = "\(settings)"
            success = "Twilio has taken it: look at the phone, and at Twilio's log where nothing comes."
            advice = """
                401: look at twilio-account-sid and twilio-auth-token. 400: look at the number and at twilio-from, \
                which must be a number of the account; a trial account sends to numbers alone that it has verified.
                """
        case .gammu(let outbox):
            sender = GammuSender(outbox: outbox)
            name = "gammu-smsd"
            success = "The message is in \(outbox): gammu-smsd's log says whether it went out."
            advice =
                "Look at gammu-outbox: the folder must be there, and this program's user must be able to write to it."
        }
        do throws(Failure) { try await sender.send(text, to: phone) } catch {
            return SMSTrial(sender: name, sent: false, words: "\(error)", advice: advice)
        }
        return SMSTrial(sender: name, sent: true, words: "taken", advice: success)
    }
}
