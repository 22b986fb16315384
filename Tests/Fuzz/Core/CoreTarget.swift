import FuzzDriver
import FuzzSupport

/// The harnesses of decoders and pure machines.
@main
enum CoreTarget: String, FuzzTarget {
    case event
    case controlBody = "control-body"
    case content
    case linkMessage = "link-message"
    case datagram
    case pathDatagram = "path-datagram"
    case mailboxAnswer = "mailbox-answer"
    case claim
    case frames
    case slice
    case hello
    case inviteCode = "invite-code"
    case handshake
    case linkStream = "link-stream"
    case linkPeer = "link-peer"
    case gossip
    case roster
    case cast
    case blob
    case sharedRecord = "shared-record"
    case notebookImport = "notebook-import"
    case seatChannel = "seat-channel"
    case json

    static func main() { FuzzDriver.run(CoreTarget.self) }

    func run(_ bytes: [UInt8]) {
        switch self {
        case .event: EventHarness.run(bytes)
        case .controlBody: ControlBodyHarness.run(bytes)
        case .content: ContentHarness.run(bytes)
        case .linkMessage: LinkMessageHarness.run(bytes)
        case .datagram: DatagramHarness.run(bytes)
        case .pathDatagram: PathDatagramHarness.run(bytes)
        case .mailboxAnswer: MailboxAnswerHarness.run(bytes)
        case .claim: ClaimHarness.run(bytes)
        case .frames: FramesHarness.run(bytes)
        case .slice: SliceHarness.run(bytes)
        case .hello: HelloHarness.run(bytes)
        case .inviteCode: InviteCodeHarness.run(bytes)
        case .handshake: HandshakeHarness.run(bytes)
        case .linkStream: LinkStreamHarness.run(bytes)
        case .linkPeer: LinkPeerHarness.run(bytes)
        case .gossip: GossipHarness.run(bytes)
        case .roster: RosterHarness.run(bytes)
        case .cast: CastHarness.run(bytes)
        case .blob: BlobHarness.run(bytes)
        case .sharedRecord: SharedRecordHarness.run(bytes)
        case .notebookImport: NotebookImportHarness.run(bytes)
        case .seatChannel: SeatChannelHarness.run(bytes)
        case .json: JSONHarness.run(bytes)
        }
    }
}
