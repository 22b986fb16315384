import Logging
import ServerBase
import ServerRequests

/// A change of an account that its owner has to hear of, whoever made it.
package enum AccountNotice: Hashable, Sendable {
    case passwordReset, emailChanged, phoneChanged, secondFactorOn, secondFactorOff, recoveryCodesRenewed
    case exported
    /// - Parameter left: recovery codes that are left.
    case recoveryCodeUsed(left: Int64)

    /// Whether it goes to the phone too where it goes to an e-mail address: whoever reads the mail may have made the
    /// change.
    var isForAllContacts: Bool { self == .passwordReset }

    /// Messages of one kind count together at a phone or an address: whoever is in the account cannot use up by other
    /// notices the one that tells of a new password.
    var kind: String { self == .passwordReset ? "password notices" : "notices" }

    func sentence(in language: Language) -> String {
        switch language {
        case .english: english
        case .turkish: turkish
        }
    }

    private var english: String {
        switch self {
        case .passwordReset: "Your tour-chat password was set anew with a code, and all sessions have ended."
        case .emailChanged: "Your tour-chat account has another e-mail address now."
        case .phoneChanged: "Your tour-chat account has another phone number now."
        case .secondFactorOn: "Logging in to your tour-chat account now takes a code of an authenticator app."
        case .secondFactorOff: "Logging in to your tour-chat account takes no code of an authenticator app any more."
        case .recoveryCodesRenewed: "Your tour-chat account has new recovery codes; the older ones are void."
        case .exported: "All data of your tour-chat account were exported just now."
        case .recoveryCodeUsed(let left): "A recovery code opened your tour-chat account; \(left) are left."
        }
    }

    private var turkish: String {
        switch self {
        case .passwordReset: "tour-chat şifreniz bir kodla yenilendi ve bütün oturumlar kapatıldı."
        case .emailChanged: "tour-chat hesabınızın e-posta adresi değişti."
        case .phoneChanged: "tour-chat hesabınızın telefon numarası değişti."
        case .secondFactorOn: "tour-chat hesabınıza giriş artık kimlik doğrulama uygulamasının kodunu ister."
        case .secondFactorOff: "tour-chat hesabınıza giriş artık kimlik doğrulama uygulamasının kodunu istemez."
        case .recoveryCodesRenewed: "tour-chat hesabınızın yeni kurtarma kodları var; eskileri geçersizdir."
        case .exported: "tour-chat hesabınızın bütün verileri az önce dışa aktarıldı."
        case .recoveryCodeUsed(let left): "Bir kurtarma kodu tour-chat hesabınızı açtı; \(left) kod kaldı."
        }
    }
}

/// Tells owners of changes by the contacts that their accounts had before, in the background: a change stands whether
/// or not the message can be sent.
package struct AccountNotices: Sendable {
    let parts: RequestParts

    package init(parts: RequestParts) { self.parts = parts }

    /// - Parameter account: as it was before the change.
    package func tell(_ notice: AccountNotice, _ account: Account, _ call: Call) {
        let sentence = notice.sentence(in: call.language)
        let (email, phone) = (account.provenEmail, account.phone.flatMap { PhoneNumber($0) })
        Task {
            if let email { await mail(sentence, to: email, of: account.id, kind: notice.kind, call) }
            if let phone, email == nil || notice.isForAllContacts {
                await text(sentence, to: phone, kind: notice.kind, call)
            }
        }
    }

    /// Tells of a recovery code that was used, if one was.
    package func tell(_ outcome: SecondFactorCheck.Outcome, _ account: Account, _ call: Call) {
        guard case .tried(.byRecoveryCode(let left)) = outcome else { return }
        tell(.recoveryCodeUsed(left: left), account, call)
    }

    /// - Parameter kind: what counts together at one address: else whoever is in some accounts uses up the mail of all.
    private func mail(
        _ sentence: String, to email: String, of account: Int64, kind: String, _ call: Call
    ) async {
        let (subject, advice) =
            switch call.language {
            case .english:
                ("Your tour-chat account", "If that was not you, set a new password now, and end all sessions.")
            case .turkish:
                ("tour-chat hesabınız", "Siz değilseniz hemen yeni bir şifre belirleyin ve oturumları kapatın.")
            }
        await report(call) { () throws(Failure) in
            let who = email + " " + kind
            try await parts.rates.count(
                [(.mailPerAddress, who), (.mailPerAddressAndDay, who), MailShare.notices.limit], now: call.now)
            let text = "\(sentence)\r\n\(advice)\r\n"
            try await parts.send(Mail(to: email, subject: subject, text: text, need: .notice, account: account))
        }
    }

    /// - Parameter kind: what counts together at one phone.
    private func text(_ sentence: String, to phone: PhoneNumber, kind: String, _ call: Call) async {
        await report(call) { () throws(Failure) in
            try await parts.smsBudget.requireRoom(for: phone, of: .known, now: parts.now())
            try await parts.rates.count(
                [.smsPerPhone, .smsPerPhoneAndDay], for: phone.text + " " + kind, now: call.now)
            try await parts.smsBudget.spend(on: phone, for: .known, now: parts.now())
            try await parts.send(sentence, to: phone)
        }
    }

    private func report(_ call: Call, _ send: () async throws(Failure) -> Void) async {
        do throws(Failure) { try await send() } catch {
            parts.logger.warning(
                "an account's owner could not be told of a change",
                metadata: ["request": "\(call.id)", "cause": "\(error)"])
        }
    }
}
