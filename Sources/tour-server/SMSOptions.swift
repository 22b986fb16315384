import ArgumentParser
import ServerAccounts
import TourServer

/// The options of the sender of text messages.
struct SMSOptions: ParsableArguments {
    @Option(help: ArgumentHelp("What sends text messages: log, twilio or gammu.", valueName: "sender"))
    var sms = "log"
    @Option(help: ArgumentHelp("Twilio's address.", valueName: "url"))
    var twilioURL = "https://api.twilio.com"
    @Option(help: ArgumentHelp("The outbox folder of gammu-smsd.", valueName: "dir"))
    var gammuOutbox = "/var/spool/gammu/outbox"

    func validate() throws {
        guard ["log", "twilio", "gammu"].contains(sms) else {
            throw ValidationError("--sms wants log, twilio or gammu.")
        }
    }

    func choice() throws -> ServerSettings.SMSChoice {
        switch sms {
        case "twilio":
            let keys = [
                ("twilio-account-sid", "TWILIO_ACCOUNT_SID"), ("twilio-auth-token", "TWILIO_AUTH_TOKEN"),
                ("twilio-from", "TWILIO_FROM"),
            ]
            let values = keys.map { environmentValue($0.1) }
            let missing = zip(keys, values).filter { $0.1 == nil }.map { "\($0.0.0) (or \($0.0.1))" }
            guard missing.isEmpty, let account = values[0], let token = values[1], let from = values[2] else {
                throw ValidationError(
                    "--sms twilio also wants \(missing.joined(separator: ", ")): set them in the settings file.")
            }
            return .twilio(TwilioSender.Settings(base: twilioURL, account: account, token: token, from: from))
        case "gammu": return .gammu(outbox: gammuOutbox)
        default: return .log
        }
    }
}
