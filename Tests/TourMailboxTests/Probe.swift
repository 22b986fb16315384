import NIOHTTP1
import TourMailbox

/// An answer without anything in it.
struct Empty: Decodable {}

extension Endpoint {
    /// A request with the account's token, of no meaning.
    static let probe = Endpoint(.GET, "/probe", access: .account)
}
