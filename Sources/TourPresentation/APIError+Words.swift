import TourAPI
import TourMailbox
import TourWords

extension APIError: SpokenFault {
    package func phrase(on surface: any Surface) -> Phrase {
        switch self {
        case .invalidURL: Phrase("That is no address of a server: https://HOST, or http://HOST:PORT.")
        case .network(.unreachable): Phrase("The server is out of reach.")
        case .network(.timeout): Phrase("The server does not answer.")
        case .network(.broken): Phrase("The connection to the server broke off.")
        case .network(.cancelled): Phrase("It was given up.")
        case .decoding: Phrase("The server's answer makes no sense: it may be of another version.")
        case .http(_, "unknown-group", _):
            Phrase(
                """
                The server does not know this tour: a guide who is logged in there makes it known by \
                \(surface.name(of: .sync)).
                """)
        case .http(_, "second-factor-needed", _):
            Phrase("Your account there takes a code of your authenticator app, or a recovery code, too.")
        case .http(_, "account-disabled", _): Phrase("The operator of the server has disabled your account there.")
        case .http(_, "banned", _): Phrase("The operator of the server has banned you there. Ask them why.")
        case .http(_, "removed", _): Phrase("The server has you as removed from this tour.")
        case .http(let status, let refusal, _):
            refusal.words.map { Phrase("The server refused: \($0)") }
                ?? Phrase("The server refused (\(status) \(refusal.code)).")
        case .unauthenticated: Phrase("Nobody is logged in: \(surface.name(of: .login(.asked))).")
        case .badAuthority: Phrase("The file for --mailbox-ca holds no certificates.")
        case .noLibrary: Phrase("libcurl, which talks to servers, is not installed on this computer.")
        case .loginPage(.certificate):
            Phrase(
                """
                Somebody answers in the server's place with a certificate that is not the server's: a login page, \
                or the clock here is wrong.
                """)
        case .loginPage(.marker):
            Phrase(
                """
                No tour-chat server answers there: another address, mostly one without a path behind the \
                host, or this network's login page.
                """)
        case .loginPage:
            Phrase("This network shows a login page in the server's place: open a browser and sign in there.")
        }
    }

    package var advice: Advice? {
        switch self {
        case .network: .waitForServer
        case .loginPage: .seeServer
        case .invalidURL, .decoding, .http, .unauthenticated, .badAuthority, .noLibrary: nil
        }
    }
}
