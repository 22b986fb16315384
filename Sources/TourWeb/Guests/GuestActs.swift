import Foundation
import TourAPI
import TourModel
import TourNode
import TourNodeWords

/// What a phone asks for once it has a seat.
struct GuestActs: Sendable {
    let node: TourNode
    let uploads: GuestUploads
    let ticket: SeatTicket

    private var tour: String { ticket.tour.hex }
    /// By which the seat's picture is known.
    private var seat: String { ticket.member.hex }
    private static let nothing = "{}".utf8

    func perform(_ request: GuestRequest) async throws -> GuestAnswer {
        switch request {
        case .write(let write): return try GuestAnswer(PreparedAnswer(try await prepared(write)))
        case .confirm(let id):
            let head = try await node.seats.confirm(id, for: ticket)
            return try GuestAnswer(["head": head])
        case .messages(let place, let count):
            let messages = try await node.seats.messages(place, count: count, for: ticket)
            return GuestAnswer(json: try await besideTheLoop { Self.json(messages) })
        case .message(let id): return try await message(id)
        case .read(let id):
            try await node.seats.read(through: id, for: ticket)
            return GuestAnswer(json: Self.nothing)
        case .got(let mark):
            await node.seats.got(mark, for: ticket)
            return GuestAnswer(json: Self.nothing)
        case .upload(let part): return try GuestAnswer(["have": try await uploads.add(part, of: seat)])
        case .picture(let id, let isSmall, let offset):
            return isSmall ? try await thumbnail(of: id, from: offset) : try await picture(of: id, from: offset)
        case .file(let id, let offset): return try await file(of: id, from: offset)
        case .shared(let id):
            // Also says whether the guest may see the message.
            _ = try await view(of: id)
            return try GuestAnswer(try await node.sharedRecord(id, changes: false, in: tour))
        case .search(let words):
            let found = try await node.seats.search(words, count: GuestLimits.foundMax, for: ticket)
            return GuestAnswer(json: try await besideTheLoop { Self.json(found) })
        case .position(let position):
            try await position.share(as: ticket, at: node.seats)
            return GuestAnswer(json: Self.nothing)
        // A stranger's: answered before.
        case .hello, .digits, .enter, .resume: throw GuestFields.wrong("op")
        }
    }

    private func prepared(_ write: GuestWrite) async throws -> PreparedEvent {
        switch write {
        case .act(let act): return try await node.seats.prepare(act, for: ticket)
        case .picture(let upload, let caption, let replyTo):
            // Held until the node has read it.
            let file = try uploads.whole(upload, of: seat)
            defer { withExtendedLifetime(file) {} }
            return try await node.seats.prepare(
                .picture(path: file.path, caption: caption, replyTo: replyTo), for: ticket)
        }
    }

    // MARK: - Messages

    /// `{"messages": […]}`.
    static func json(_ messages: [Message]) -> [UInt8] {
        var text = Array("{\"messages\":[".utf8)
        text.reserveCapacity(messages.count * 768)
        for (index, message) in messages.enumerated() {
            if index > 0 { text.append(UInt8(ascii: ",")) }
            message.appendJSON(to: &text)
        }
        return text + "]}".utf8
    }

    /// - Throws: `unknown-message`.
    private func view(of id: String) async throws -> Message {
        let around = try await node.seats.messages(.around(id), count: 1, for: ticket)
        guard let message = around.first(where: { $0.id == id }) else { throw NodeError.message(.unknown(id)) }
        return message
    }

    private func message(_ id: String) async throws -> GuestAnswer {
        let message = try await view(of: id)
        var text = Array("{\"message\":".utf8)
        message.appendJSON(to: &text)
        if message.mine {
            text += ",\"receipts\":".utf8
            text += try Answer.encoded(await node.seats.receipts(id, for: ticket).answer)
        }
        return GuestAnswer(json: text + "}".utf8)
    }

    // MARK: - Pictures

    private func thumbnail(of id: String, from offset: UInt64) async throws -> GuestAnswer {
        let metadata = try await view(of: id).metadata
        let file = metadata.file ?? metadata.meeting?.photo
        guard let text = file?.thumbnail, let bytes = Data(base64Encoded: text) else {
            throw NodeError.message(.unknown(id))
        }
        return try part(Array(bytes.dropFirst(Int(clamping: offset))), of: UInt64(bytes.count))
    }

    /// A part of a picture, which has to be here as a whole.
    private func picture(of id: String, from offset: UInt64) async throws -> GuestAnswer {
        // Also says whether the guest may see the message.
        let metadata = try await view(of: id).metadata
        guard metadata.file != nil || metadata.meeting?.photo != nil else { throw NodeError.message(.unknown(id)) }
        let file = try await node.readFile(id, in: tour)
        guard file.media.hasPrefix("image/") else { throw NodeError.seat(.notForGuests) }
        guard file.size <= GuestLimits.fileBytesMax else {
            throw NodeError.file(.tooLarge(bytesMax: GuestLimits.fileBytesMax))
        }
        return try part(try await bytes(of: file, from: offset), of: file.size)
    }

    /// One part.
    private func bytes(of file: FileReader, from offset: UInt64) async throws -> [UInt8] {
        let end = min(offset.addingReportingOverflow(UInt64(GuestLimits.partBytesMax)).partialValue, file.size)
        var bytes = [UInt8]()
        var rest = min(offset, file.size)..<max(end, min(offset, file.size))
        while !rest.isEmpty {
            let wanted = rest
            let more = try await besideTheLoop { try file.read(wanted) }
            guard !more.isEmpty else { break }
            bytes += more
            rest = rest.lowerBound + UInt64(more.count)..<rest.upperBound
        }
        return bytes
    }

    // MARK: - Files

    /// How a file stands at this device, and a part of one that is here as a whole.
    private struct FileStanding: Encodable {
        var name: String
        var media: String?
        var size: UInt64
        var state: FileState
        var have: UInt64
    }

    /// A part of any file. One that is not here is fetched.
    private func file(of id: String, from offset: UInt64) async throws -> GuestAnswer {
        // Also says whether the guest may see the message.
        let metadata = try await view(of: id).metadata
        guard let known = metadata.file ?? metadata.meeting?.photo else { throw NodeError.message(.unknown(id)) }
        guard known.size <= GuestLimits.fileBytesMax else {
            throw NodeError.file(.tooLarge(bytesMax: GuestLimits.fileBytesMax))
        }
        let now = try await node.file(id, in: tour)
        let found = now.complete ? now : try await node.fetchFile(id, in: tour, isForGuest: true)
        let standing = FileStanding(
            name: found.name, media: found.media, size: found.size, state: found.state, have: found.have)
        guard found.complete else { return try GuestAnswer(standing) }
        let file = try await node.readFile(id, in: tour)
        return try GuestAnswer(standing, bytes: try await bytes(of: file, from: offset))
    }

    private func part(_ bytes: [UInt8], of size: UInt64) throws -> GuestAnswer {
        try GuestAnswer(["size": size], bytes: Array(bytes.prefix(GuestLimits.partBytesMax)))
    }
}

extension GuestRequest {
    /// What of the seat's shares it takes; nil: nothing.
    var share: GuestShares.Kind? {
        switch self {
        case .file: .filePart
        case .search: .search
        default: nil
        }
    }
}
