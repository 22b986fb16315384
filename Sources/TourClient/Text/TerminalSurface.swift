import TourPresentation
import TourWords

/// A terminal: names actions by the command that does them.
package struct TerminalSurface: Surface {
    package init() {}

    package func name(of action: UserAction) -> Phrase {
        let command = "tour-chat " + Self.command(for: action)
        return switch action {
        case .login(.account), .login(.serverAndAccount): Phrase("'\(command)' (or --email ADDRESS)")
        default: Phrase("'\(command)'")
        }
    }

    /// The command with its arguments, without the program's name.
    package static func command(for action: UserAction) -> String {
        switch action {
        case .createTour: "tour create NAME"
        case .joinTour: "join CODE"
        case .listTours: "tour list"
        case .invite: "tour invite"
        case .listInvites: "tour invite --list"
        case .closeTour: "tour close"
        case .leaveTour: "tour leave"
        case .recoverWithNothingSince: "tour recover --nothing-since"
        case .giveKeyUp: "tour recover --new-key"
        case .listMembers: "members"
        case .nameSuccessor: "tour successor NAME"
        case .giveAnotherRole(let name): "role \(name) admin"
        case .listMessages: "messages"
        case .showReceipts: "receipts ID"
        case .listFiles: "files"
        case .dropFile: "files --drop ID"
        case .saveFile(let id): "save \(id) DIR"
        case .fetchFile(let id): "save \(id)"
        case .openFile(let id): "open \(id)"
        case .removeArchive: "archive remove"
        case .readAboutRecovery: "tour recover --help"
        case .login(.asked): "login"
        case .login(.server): "login --server URL"
        case .login(.account): "login --phone NUMBER"
        case .login(.serverAndAccount): "login --server URL --phone NUMBER"
        case .sync: "sync"
        case .addEmail: "account email ADDRESS"
        case .listOrganisations: "account organisation list"
        case .listOrganisationMembers: "account organisation members"
        case .makeOrganisationAdmin: "account organisation role MEMBER admin"
        case .unlinkNotebook: "notebook unlink"
        case .listAskers: "tour asks"
        case .run(.plain): "run"
        case .run(.server): "run --mailbox URL"
        case .run(.authority): "run --mailbox-ca FILE"
        case .status: "status"
        case .doctor: "doctor"
        case .openPage: "page"
        case .hotspot: "hotspot on"
        case .unlock: "unlock"
        case .setPassphrase: "passphrase set"
        case .wipe: "wipe"
        }
    }
}
