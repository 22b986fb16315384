import HTTPTypes
import TourPresentation
import TourWords

/// The surfaces on which the answers of the local API appear: the page asks for its own by the header
/// `Tour-Chat-Surface: page`, and every other client is a program of the terminal.
struct ClientSurfaces: Sendable {
    /// How a terminal names what the user can do.
    let terminal: any Surface
    private let page: PageSurface

    init(terminal: any Surface) {
        self.terminal = terminal
        page = PageSurface(elsewhere: terminal)
    }

    /// What is printed for newcomers, who have a terminal and then the page.
    var paper: any Surface { page }

    /// Who reads the answer to a request with these headers.
    func reader(of fields: HTTPFields) -> Reader {
        let language = fields[.acceptLanguage].map { Language(acceptLanguage: $0) } ?? .english
        return Reader(language, on: fields[.surface] == "page" ? page : terminal)
    }
}

extension HTTPField.Name {
    fileprivate static let surface = Self("Tour-Chat-Surface")!
}
