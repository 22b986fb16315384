/// The text of a failure: one sentence in the user's language, which says what to do where something can be done.
package enum FailureText {
    /// - Parameter field: the wrong field, which only the text of `invalidField` names.
    package static func text(for code: FailureCode, in language: Language, field: String?) -> String {
        switch language {
        case .english: english(code, field ?? "")
        case .turkish: turkish(code, field ?? "")
        }
    }

    private static func english(_ code: FailureCode, _ field: String) -> String {
        switch code {
        case .badRequest: "The request is not understood."
        case .badJSON: "The body is not valid JSON."
        case .unauthenticated: "Log in first: the access token is missing, expired or not valid."
        case .badCredentials: "The e-mail address or the password is wrong."
        case .badCode: "The code is wrong or has expired. Ask for a new one."
        case .badRefreshToken: "The session has ended. Log in again."
        case .secondFactorNeeded: "Add a code of your authenticator app, or a recovery code."
        case .badSecondFactor: "The code of the app is wrong or was used already. Wait for its next one."
        case .forbidden: "You have no right to this."
        case .accountDisabled: "The operator of this server has disabled your account. Ask them why."
        case .secondFactorRequired: "This server wants a second factor for your role. Turn it on first."
        case .notFound: "There is no such thing."
        case .unknownGroup: "This server does not know the tour. Its guide makes it known by logging in and syncing."
        case .unknownMember: "The tour has no such member."
        case .removed: "You are not in the tour any more."
        case .badProof: "The proof of membership is not good. Ask for a new nonce."
        case .notAGuide: "Only guides and admins of this server make tours known. Ask its operator for the role."
        case .notAllowed: "Only who leads the tour may do this."
        case .noArchive: "The server does not read along in this tour."
        case .hasArchive: "The server reads along in this tour already."
        case .wrongOffset: "The piece does not begin where the last one ended; Upload-Offset says where that is."
        case .wrongHash: "What arrived is not what its name says. Send it again from the beginning."
        case .rangeNotSatisfiable: "There is nothing at that place."
        case .quota: "The room on this server is used up."
        case .badGenesis: "The tour's first event is not sound."
        case .methodNotAllowed: "This address does not take that method."
        case .timeout: "The request took too long to arrive."
        case .emailTaken: "An account with this e-mail address exists already."
        case .phoneTaken: "An account with this phone number exists already."
        case .secondFactorOn: "The account has a second factor already. Turn that off first."
        case .alreadyInItinerary: "The sample is in the collection already."
        case .stopsDiffer: "The collection has other samples by now. Fetch it again, then change the order."
        case .inProgress: "The same request is being worked on. Try again in a moment."
        case .alreadyDone: "This was done already. Read what is there now."
        case .tooLarge: "The request is too large."
        case .addressTooLong: "The address of the request is too long."
        case .unsupportedMediaType: "This address takes another content type."
        case .invalidField: "The field \(field) is missing or not valid."
        case .keyReused: "This Idempotency-Key was used for another request."
        case .tooManyRequests: "Too many requests. Try again later."
        case .internalError: "The server failed at this request."
        case .smsFailed: "The text message could not be sent. Try again later."
        case .mailFailed: "The mail could not be sent. Try again later."
        case .emailNotProven: "The e-mail address is not proven yet: enter the code that was sent to it."
        case .unavailable, .newerDatabase, .alreadyServed, .rosterMoved:
            "The server cannot answer at the moment. Try again later."
        }
    }

    private static func turkish(_ code: FailureCode, _ field: String) -> String {
        switch code {
        case .badRequest: "İstek anlaşılamadı."
        case .badJSON: "Gövde geçerli bir JSON değil."
        case .unauthenticated: "Önce giriş yapın: erişim belirteci eksik, süresi dolmuş veya geçersiz."
        case .badCredentials: "E-posta adresi veya şifre yanlış."
        case .badCode: "Kod yanlış veya süresi dolmuş. Yeni bir kod isteyin."
        case .badRefreshToken: "Oturum sona erdi. Yeniden giriş yapın."
        case .secondFactorNeeded: "Kimlik doğrulama uygulamanızın kodunu veya bir kurtarma kodunu da girin."
        case .badSecondFactor: "Uygulamanın kodu yanlış veya daha önce kullanıldı. Sonraki kodu bekleyin."
        case .forbidden: "Buna yetkiniz yok."
        case .accountDisabled: "Bu sunucunun işletmecisi hesabınızı devre dışı bıraktı. Nedenini ona sorun."
        case .secondFactorRequired: "Bu sunucu rolünüz için ikinci adım ister. Önce onu açın."
        case .notFound: "Böyle bir şey yok."
        case .unknownGroup: "Bu sunucu turu tanımıyor. Rehber giriş yapıp eşitleyince tanır."
        case .unknownMember: "Turda böyle bir üye yok."
        case .removed: "Artık bu turda değilsiniz."
        case .badProof: "Üyelik kanıtı geçerli değil. Yeni bir nonce isteyin."
        case .notAGuide: "Turları bu sunucuya yalnız rehberler ve yöneticiler tanıtır. İşletmecisinden rol isteyin."
        case .notAllowed: "Bunu yalnız turu yönetenler yapabilir."
        case .noArchive: "Sunucu bu turu okumuyor."
        case .hasArchive: "Sunucu bu turu zaten okuyor."
        case .wrongOffset: "Parça, öncekinin bittiği yerden başlamıyor; yerini Upload-Offset söyler."
        case .wrongHash: "Gelen dosya adındaki özetle uyuşmuyor. Baştan yeniden gönderin."
        case .rangeNotSatisfiable: "O konumda bir şey yok."
        case .quota: "Bu sunucudaki yer doldu."
        case .badGenesis: "Turun ilk olayı geçerli değil."
        case .methodNotAllowed: "Bu adres o yöntemi kabul etmiyor."
        case .timeout: "İsteğin gelmesi çok uzun sürdü."
        case .emailTaken: "Bu e-posta adresiyle bir hesap zaten var."
        case .phoneTaken: "Bu telefon numarasıyla bir hesap zaten var."
        case .secondFactorOn: "Hesabın zaten ikinci adımı var. Önce onu kapatın."
        case .alreadyInItinerary: "Örnek zaten koleksiyonda."
        case .stopsDiffer: "Koleksiyonun örnekleri değişmiş. Yeniden alın, sonra sıralayın."
        case .inProgress: "Aynı istek şu anda işleniyor. Biraz sonra yeniden deneyin."
        case .alreadyDone: "Bu istek daha önce yerine getirildi. Güncel durumu okuyun."
        case .tooLarge: "İstek çok büyük."
        case .addressTooLong: "İsteğin adresi çok uzun."
        case .unsupportedMediaType: "Bu adres başka bir içerik türü bekliyor."
        case .invalidField: "\(field) alanı eksik veya geçersiz."
        case .keyReused: "Bu Idempotency-Key başka bir istek için kullanıldı."
        case .tooManyRequests: "Çok fazla istek. Daha sonra yeniden deneyin."
        case .internalError: "Sunucu bu istekte hata verdi."
        case .smsFailed: "Kısa mesaj gönderilemedi. Daha sonra yeniden deneyin."
        case .mailFailed: "E-posta gönderilemedi. Daha sonra yeniden deneyin."
        case .emailNotProven: "E-posta adresi henüz doğrulanmadı: adrese gönderilen kodu girin."
        case .unavailable, .newerDatabase, .alreadyServed, .rosterMoved:
            "Sunucu şu anda yanıt veremiyor. Daha sonra yeniden deneyin."
        }
    }
}
