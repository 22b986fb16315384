import Foundation
import ServerRequests
import TourGroup
import TourModel
import TourNotebook
import TourWire

/// A message in the form that clients of the fourth guide read.
/// Contract: `Protocol/Schema/openapi.yaml`.
package struct ArchivedMessage: Encodable {
    struct Metadata: Encodable {
        var replyTo: String?
        /// Announcements only; `expiresAt` of meeting points too.
        var urgent: Bool?
        var expiresAt: Date?
        /// Locations, meeting points and alarms. The fourth guide calls the label `address`.
        var latitude: Double?
        var longitude: Double?
        var address: String?
        var accuracyMetres: UInt32?
        var fixedAt: Date?
        /// Meeting points only.
        var meetAt: Date?
        var photo: ArchivedFile?
        /// Pictures and files only; the file's fields are encoded among the others.
        var file: ArchivedFile?
        /// Shared records only: the record's UUID, its version, and true once the author no longer shares it.
        var record: String?
        var version: UInt64?
        var takenBack: Bool?

        private enum CodingKeys: CodingKey {
            case replyTo, urgent, expiresAt, latitude, longitude, address, accuracyMetres, fixedAt, meetAt, photo
            case record, version, takenBack
        }

        func encode(to encoder: any Encoder) throws {
            try file?.encode(to: encoder)
            var container = encoder.container(keyedBy: CodingKeys.self)
            try container.encodeIfPresent(replyTo, forKey: .replyTo)
            try container.encodeIfPresent(urgent, forKey: .urgent)
            try container.encodeIfPresent(expiresAt, forKey: .expiresAt)
            try container.encodeIfPresent(latitude, forKey: .latitude)
            try container.encodeIfPresent(longitude, forKey: .longitude)
            try container.encodeIfPresent(address, forKey: .address)
            try container.encodeIfPresent(accuracyMetres, forKey: .accuracyMetres)
            try container.encodeIfPresent(fixedAt, forKey: .fixedAt)
            try container.encodeIfPresent(meetAt, forKey: .meetAt)
            try container.encodeIfPresent(photo, forKey: .photo)
            try container.encodeIfPresent(record, forKey: .record)
            try container.encodeIfPresent(version, forKey: .version)
            try container.encodeIfPresent(takenBack, forKey: .takenBack)
        }
    }

    let localId: String
    /// Empty for a message that its author withdrew.
    let content: String
    /// `text`, `announcement`, `location`, `image`, `file`, `meeting`, `alarm`, `roll-call`, `note`, `place`,
    /// `itinerary` or `withdrawn`.
    let type: String
    let senderId: String
    let groupId: String
    let sentAt: Date
    let status = "sent"
    @Nullable var syncedAt: Date?
    @Nullable var metadata: Metadata?
}

/// Opens the messages of a page with the archive's keys, and stores nothing of them.
package struct MessageReader {
    private let group: TourGroup
    /// By author, the messages that the author withdrew.
    private var withdrawn: [MemberID: Set<EventID>] = [:]

    package init(group: TourGroup, withdrawals: [Event]) {
        self.group = group
        add(withdrawals: withdrawals)
    }

    /// Takes in further events in which authors may have withdrawn messages.
    package mutating func add(withdrawals: [Event]) {
        for event in withdrawals {
            guard case .withdrawal(let message) = try? group.open(event) else { continue }
            withdrawn[event.header.author, default: []].insert(message)
        }
    }

    /// - Returns: nil for an event that is no message, and for one whose epoch key the archive lacks.
    package func message(_ stored: StoredMessage) -> ArchivedMessage? {
        let event = stored.event
        let (text, type, metadata): (String, String, ArchivedMessage.Metadata?)
        switch try? group.open(event) {
        case .text(let words, let replyTo):
            (text, type) = (words, "text")
            metadata = replyTo.map { ArchivedMessage.Metadata(replyTo: $0.hex) }
        case .announcement(let words):
            (text, type) = (words.text, "announcement")
            metadata = ArchivedMessage.Metadata(
                replyTo: words.replyTo?.hex, urgent: words.urgent,
                expiresAt: words.expiresAt.map { Date(timeIntervalSince1970: TimeInterval($0 / 1_000)) })
        case .location(let place):
            (text, type) = (place.text, "location")
            metadata = ArchivedMessage.Metadata(of: place)
        case .file(let file):
            (text, type) = (file.text, "file")
            metadata = ArchivedMessage.Metadata(of: file)
        case .image(let image):
            (text, type) = (image.text, "image")
            metadata = ArchivedMessage.Metadata(of: image)
        case .meeting(let meeting):
            (text, type) = (meeting?.text ?? "", "meeting")
            metadata = meeting.map(ArchivedMessage.Metadata.init(of:))
        case .alarm(let alarm):
            (text, type) = (alarm.text, "alarm")
            metadata = alarm.fix.map {
                ArchivedMessage.Metadata(of: Content.Location(fix: $0, label: nil, replyTo: nil))
            }
        case .shared(let part):
            guard let head = part.head else { return nil }
            (text, type) = (head.title, head.kind.word)
            metadata = ArchivedMessage.Metadata(of: part)
        case .rollCall(let call): (text, type, metadata) = (call.text, "roll-call", nil)
        // Nobody seals an aside to an archive.
        case .withdrawal, .profile, .tourInfo, .meetingAnswer, .alarmAnswer, .rollAnswer, .rollEnd, .buddies,
            .understood, .seat, .seatHost, .aside, .quiet, .unsupported, nil:
            return nil
        }
        let header = event.header
        let isWithdrawn = withdrawn[header.author]?.contains(event.id) == true
        return ArchivedMessage(
            localId: event.id.hex, content: isWithdrawn ? "" : text, type: isWithdrawn ? "withdrawn" : type,
            senderId: header.author.hex, groupId: group.tour.hex,
            sentAt: Date(microseconds: header.clock.milliseconds * 1_000),
            syncedAt: stored.takenAt.map(Date.init(microseconds:)), metadata: isWithdrawn ? nil : metadata)
    }
}

extension ArchivedMessage.Metadata {
    fileprivate init(of place: Content.Location) {
        replyTo = place.replyTo?.hex
        latitude = place.fix.coordinate.degreesNorth
        longitude = place.fix.coordinate.degreesEast
        address = place.label
        accuracyMetres = place.fix.accuracyMetres == 0 ? nil : place.fix.accuracyMetres
        fixedAt = place.fix.fixedAt.map { Date(timeIntervalSince1970: TimeInterval($0 / 1_000)) }
    }
}

extension ArchivedMessage.Metadata {
    fileprivate init(of file: FileContent) {
        replyTo = file.replyTo?.hex
        self.file = ArchivedFile(file)
    }
}

extension ArchivedMessage.Metadata {
    fileprivate init(of meeting: Meeting) {
        latitude = meeting.place?.degreesNorth
        longitude = meeting.place?.degreesEast
        address = meeting.label
        meetAt = meeting.at.map { Date(timeIntervalSince1970: TimeInterval($0 / 1_000)) }
        expiresAt = meeting.expiresAt.map { Date(timeIntervalSince1970: TimeInterval($0 / 1_000)) }
        photo = meeting.photo.map(ArchivedFile.init)
    }
}

extension ArchivedMessage.Metadata {
    /// The record's text stays in the members' logs: this shows only that a version exists.
    fileprivate init(of part: SharedPart) {
        record = part.record.text
        version = part.version
        takenBack = part.isTakingBack ? true : nil
    }
}
