import Foundation
import HTTPTypes
import HummingbirdCore
import NIOCore
import ServerBase
import ServerRequests
import ServerStorage
import TourModel
import TourNotebook

/// Routes by which devices sync a notebook, send saved places with their files, and fetch files and the profile.
/// Contract: `Protocol/Schema/openapi.yaml`.
struct NotebookRoutes: Sendable {
    let parts: RequestParts
    let files: NotebookFiles

    var routes: [Route] {
        [
            Route(
                .post, "/api/v1/sync/delta", body: .json(bytesMax: ServerLimits.deltaBodyMax), handler: sync),
            Route(.post, "/api/v1/bookmarks/upsert", body: .stream, keepsAnswers: false, handler: upsert),
            Route(.get, "/api/v1/profile", handler: profile),
            // The handler wants a token or an address that opens the file.
            Route(.get, "/api/v1/files/{id}", access: .open, handler: fetch),
        ]
    }

    /// Syncs; a long request waits its turn among heavy ones.
    private func sync(_ call: Call) async throws(Failure) -> Answer {
        guard call.body.count > ServerLimits.deltaBodyLight else { return try await exchange(call) }
        return try await parts.heavy.run(for: call.callerName) { () async throws(Failure) in try await exchange(call) }
    }

    private func exchange(_ call: Call) async throws(Failure) -> Answer {
        let account = try call.requireAccount()
        let now = call.now
        let body = call.body
        // Up to 16 MiB of JSON are decoded off the threads that serve requests.
        let request = try await BlobFile.onDisk { () throws(Failure) in try DeltaRequest(body) }
        let outcome = try await outcome(of: request, account, now: now)
        // Where the disk is full, the profile goes on showing the time of the sync before.
        try? await parts.storage.write(.relaxed) { sql throws(Failure) in
            try NotebookRows(sql: sql, of: account).setSyncTime(to: now / 1_000_000)
        }
        let answer = DeltaAnswer(
            outcome: outcome, kinds: request.kinds, isExtended: request.device != nil,
            links: try FileLinks(call, parts, for: request.device), language: call.language)
        let bytes = try await BlobFile.onDisk { () throws(Failure) in try answer.text() }
        return Answer(.ok, content: .bytes(bytes, type: "application/json"))
    }

    private func outcome(
        of request: DeltaRequest, _ account: AuthenticatedAccount, now: Int64
    ) async throws(Failure) -> Delta.Outcome {
        let onlyAsks = request.items.isEmpty && request.deletions.isEmpty
        if onlyAsks {
            // A device that only asks needs no write, so no writer waits for it.
            let outcome = try await parts.storage.read { sql throws(Failure) in
                try Delta.outcome(of: request, in: NotebookRows(sql: sql, of: account))
            }
            if let outcome { return outcome }
        }
        do throws(Failure) {
            return try await parts.storage.write { sql throws(Failure) in
                try NotebookRows(sql: sql, of: account).change(now: now) { transaction throws(Failure) in
                    try Delta.run(request, in: &transaction)
                }
            }
        } catch {
            // A notebook that cannot begin, as on a full disk, is empty: its cursor lies before every change.
            guard onlyAsks, error.code == .unavailable else { throw error }
            return Delta.Outcome(cursor: 0)
        }
    }

    private func upsert(_ call: Call) async throws(Failure) -> Answer {
        guard call.head.headerFields[.contentEncoding] == nil else { throw Failure(.unsupportedMediaType) }
        var upload = UploadReader(files: files, account: try call.requireAccount(), now: call.now)
        do {
            if MultipartReader.isForm(call.head.headerFields[.contentType] ?? "") {
                try await Self.read(call, into: &upload)
            } else {
                try await Self.readJSON(call, into: &upload)
            }
            let (answer, spare) = try await store(upload, call)
            // The item has files with the same bytes already, so these are not needed.
            await discard(spare)
            return answer
        } catch {
            await discard(upload.begun)
            throw error
        }
    }

    /// Discards files even if the request was cancelled; the sweep removes any that remain.
    private func discard(_ ids: [NotebookID]) async {
        let files = files
        await Task { try? await files.discard(ids) }.value
    }

    private func store(_ upload: UploadReader, _ call: Call) async throws(Failure) -> (Answer, [NotebookID]) {
        guard let payload = upload.payload else { throw .invalid("payload") }
        let (account, now) = (try call.requireAccount(), call.now)
        let isForm = MultipartReader.isForm(call.head.headerFields[.contentType] ?? "")
        let request = try await BlobFile.onDisk { () throws(Failure) in
            do throws(Failure) {
                return try UpsertRequest(payload)
            } catch {
                // In a form the payload is one of the fields.
                throw isForm && error.code == .badJSON ? .invalid("payload") : error
            }
        }
        let upsert = Upsert(request: request, pictures: upload.pictures, file: upload.file)
        let parts = parts
        let rows = try await parts.storage.write { sql throws(Failure) in
            try parts.requireStillOpen(account, call, in: sql)
            return try NotebookRows(sql: sql, of: account).change(now: now) { transaction throws(Failure) in
                try upsert.run(in: &transaction)
            }
        }
        let links = try FileLinks(call, parts, for: request.device)
        var named = Set<NotebookID>()
        var texts = [String]()
        for row in rows {
            named.formUnion(try FileAddress.files(in: row))
            texts.append(try row.json(links, hasNulls: request.device == nil))
        }
        let text = #"{"bookmarks":["# + texts.joined(separator: ",") + "]}"
        return (
            Answer(.ok, content: .bytes(Array(text.utf8), type: "application/json")),
            upload.begun.filter { !named.contains($0) }
        )
    }

    /// Reads a form. The rest of a refused one is still read, so that the client, which is still sending, receives the
    /// reason.
    /// - Throws: whatever `upload` throws; `badRequest` for a body that is no form or was cut off; `tooLarge`.
    private static func read(_ call: Call, into upload: inout UploadReader) async throws(Failure) {
        var reader = try MultipartReader(contentType: call.head.headerFields[.contentType])
        var total: Int64 = 0
        var refusal: Failure?
        do {
            for try await buffer in call.stream {
                total += Int64(buffer.readableBytes)
                guard total <= ServerLimits.upsertBytesMax else { throw Failure(.tooLarge) }
                guard refusal == nil else { continue }
                do throws(Failure) {
                    for event in try reader.read(Array(buffer.readableBytesView)) { try await upload.receive(event) }
                } catch {
                    guard [.invalidField, .quota].contains(error.code) else { throw error }
                    refusal = error
                }
            }
        } catch {
            throw error as? Failure ?? Failure(.badRequest)
        }
        if let refusal { throw refusal }
        guard reader.isAtEnd else { throw Failure(.badRequest) }
    }

    private static func readJSON(_ call: Call, into upload: inout UploadReader) async throws(Failure) {
        guard BodyReader.mayBeJSON(call.head.headerFields[.contentType]) else { throw Failure(.unsupportedMediaType) }
        do {
            try await upload.receive(.begin(MultipartReader.Head(name: "payload", fileName: nil, media: nil)))
            for try await buffer in call.stream { try await upload.receive(.bytes(Array(buffer.readableBytesView))) }
        } catch {
            throw error as? Failure ?? Failure(.badRequest)
        }
    }

    private func profile(_ call: Call) async throws(Failure) -> Answer {
        let account = try call.requireAccount()
        let (id, synced) = try await parts.storage.read { sql throws(Failure) in
            (try ProfileRows(sql: sql).knownID(of: account.id), try NotebookRows(sql: sql, of: account).syncTime())
        }
        let profile: NotebookID
        if let id { profile = id } else { profile = try await parts.storage.newProfileID(of: account.id) }
        return try .json(ProfileBody(account.account, id: profile, synced: synced, language: call.language))
    }

    private func fetch(_ call: Call) async throws(Failure) -> Answer {
        let proof = call.account == nil ? FileProof(call) : nil
        if proof == nil { _ = try call.requireAccount() }
        guard let id = NotebookID(call.parameters["id"] ?? "") else { throw Failure(.notFound) }
        let place = try parts.places.files.place(for: call.callerName, at: call.address)
        let secret = parts.secret
        let known = try await parts.storage.read { sql throws(Failure) -> NotebookFile in
            let rows = NotebookFileRows(sql: sql)
            guard let proof else { return try rows.file(id, of: try call.requireAccount()) }
            // Whether there is such a file is told to nobody without a proof.
            guard let file = try rows.file(id), proof.opens(file, secret, now: call.now),
                let owner = try AccountRows(sql: sql).account(id: file.account), owner.disabledAt == nil
            else { throw Failure(.forbidden) }
            return file
        }
        if proof != nil { try parts.bans.refuse(account: known.account, now: call.now) }
        let file = PlacedBytes(bytes: try await files.open(id), place: place)
        // An uploaded file must run no code where a browser shows it.
        var headers: HTTPFields = [
            .contentType: known.media, .contentTypeOptions: "nosniff",
            .contentSecurityPolicy: "default-src 'none'; sandbox", .cacheControl: "private",
        ]
        headers[.contentDisposition] = known.disposition
        // A file never changes: its id names these bytes for good.
        return try .file(file, bytes: known.bytes, mark: "\"\(id.text)\"", to: call.head, headers: headers)
    }
}

extension NotebookFile {
    /// The Content-Disposition of the file.
    /// Source: RFC 6266, section 4.1, and RFC 8187, section 3.2.
    fileprivate var disposition: String {
        let kind = isPicture ? "inline" : "attachment"
        guard !name.isEmpty else { return kind }
        let escaped = name.utf8.map { byte in
            let isPlain = byte < 0x80 && (Character(Unicode.Scalar(byte)).isLetter || (0x30...0x39).contains(byte))
            let hex = String(byte, radix: 16, uppercase: true)
            return isPlain || "-._".utf8.contains(byte)
                ? String(Unicode.Scalar(byte)) : "%" + (hex.count < 2 ? "0" : "") + hex
        }
        return kind + "; filename*=UTF-8''" + escaped.joined()
    }
}

extension HTTPField.Name {
    static let contentTypeOptions = Self("X-Content-Type-Options")!
    static let contentSecurityPolicy = Self("Content-Security-Policy")!
}
