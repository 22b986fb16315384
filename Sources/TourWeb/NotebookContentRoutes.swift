import HTTPTypes
import Hummingbird
import NIOCore
import Synchronization
import TourJSON
import TourModel
import TourNode
import TourNotebook
import TourPresentation
import TourPrint
import TourWords

// Notebook content that is not JSON: PDF files, and the pictures and files of saved places.
extension LocalAPI {
    func addNotebookContent(_ api: RouterGroup<BasicRequestContext>) {
        addPrinting(api)
        let uploadSlots = UploadSlots()
        api.post("notebook/:kind/:item/files") { [slot] request, context in
            try context.requireKind(.place)
            guard let role = NotebookFileRole(rawValue: request.query("role") ?? NotebookFileRole.file.rawValue) else {
                throw WebError("bad-request", Phrase("The role of a file is “picture” or “file”."))
            }
            try uploadSlots.acquire()
            defer { uploadSlots.leave() }
            let file = NewNotebookFile(
                role: role, name: request.query("name") ?? "", media: request.headers[.contentType],
                bytes: try await request.fileBytes())
            return try Answer.json(try await slot.node.notebook.attach(file, to: context.item))
        }
        api.get("notebook/:kind/:item/files/:file/content") { [slot] _, context in
            try context.requireKind(.place)
            let name = context.parameters.get("file") ?? ""
            let file = try await slot.node.notebook.fileReader(name, of: context.item)
            return Response(
                status: .ok, headers: .download(named: file.name, media: file.media),
                body: ResponseBody(contentLength: file.bytes) { writer in
                    var file = file
                    while let bytes = try await file.next() { try await writer.write(ByteBuffer(bytes: bytes)) }
                    try await writer.finish(nil)
                })
        }
    }

    private func addPrinting(_ api: RouterGroup<BasicRequestContext>) {
        let room = PrintQueue(label: "tour-chat.print", waitingMax: Self.printsWaitingMax)
        api.get("notebook/:kind/:item/pdf") { [slot] request, context in
            let kind = try context.kind
            guard kind == .note || kind == .itinerary else {
                throw WebError("bad-request", Phrase("What is printed is a note or an itinerary."))
            }
            let item = try JSON(parsing: Answer.encoded(await slot.node.notebook.item(kind, context.item)))
            return try await room.answer(
                kind == .note
                    ? NotebookPrint.note(item, language: request.printLanguage)
                    : NotebookPrint.itinerary(item, language: request.printLanguage))
        }
        api.get("tours/:tour/shared/:id/pdf") { [slot] request, context in
            let record = try await slot.node.sharedRecord(context.record, changes: false, in: context.tour)
            let json = try JSON(parsing: Answer.encoded(record))
            return try await room.answer(NotebookPrint.shared(json, language: request.printLanguage))
        }
    }

    /// Documents being printed or waiting for that.
    private static let printsWaitingMax = 4
}

/// Uploads stay in memory until they are stored, so few are allowed at a time.
private final class UploadSlots: Sendable {
    private static let uploadsMax = 2

    private let taken = Mutex(0)

    /// - Throws: `busy`.
    func acquire() throws(WebError) {
        let isFree = taken.withLock { count in
            guard count < Self.uploadsMax else { return false }
            count += 1
            return true
        }
        guard isFree else { throw WebError("busy", Phrase("Other files are being taken in; try again in a moment.")) }
    }

    func leave() { taken.withLock { $0 -= 1 } }
}

extension Request {
    /// - Throws: `file-too-large`; `bad-request` for a body that ends too soon.
    fileprivate func fileBytes() async throws -> [UInt8] {
        let length = headers[.contentLength].flatMap { Int($0) }
        if let length, length > Limits.notebookFileBytesMax { throw WebError.notebookFileTooLarge }
        var bytes = [UInt8]()
        bytes.reserveCapacity(length ?? 0)
        for try await piece in body {
            guard bytes.count + piece.readableBytes <= Limits.notebookFileBytesMax else {
                throw WebError.notebookFileTooLarge
            }
            bytes.append(contentsOf: piece.readableBytesView)
        }
        guard length == nil || length == bytes.count else {
            throw WebError("bad-request", Phrase("The file did not come whole; send it again."))
        }
        return bytes
    }

    /// The language of a printed text is most likely the one in which the user reads this program.
    fileprivate var printLanguage: String? {
        headers[.acceptLanguage].map { Language(acceptLanguage: $0).rawValue }
    }
}

extension WebError {
    fileprivate static let notebookFileTooLarge = WebError(
        "file-too-large", Phrase("A picture or file of a place has at most \(Limits.notebookFileBytesMax >> 20) MiB."))
}

extension PrintQueue {
    /// - Throws: `print-too-long`, `busy`, `no-printer`, `print-failed`.
    fileprivate func answer(_ document: PrintDocument) async throws(WebError) -> Response {
        do throws(Refusal) {
            // Whoever opens this page is the owner of the computer.
            return Answer.pdf(try await pdf(document, for: "page"))
        } catch {
            switch error {
            case .busy: throw WebError("busy", Phrase("Other documents are being printed; try again in a moment."))
            case .unprinted(let error): throw WebError(error)
            }
        }
    }
}

extension WebError {
    /// Why something is not printed.
    init(_ error: PrintError) {
        switch error {
        case .tooLong: self.init("print-too-long", Phrase("That is too long to be printed."))
        case .unavailable:
            self.init(
                "no-printer",
                Phrase(
                    """
                    PDF files are made with Pango and Cairo, which are not installed, or no font is. Install them: \
                    'apt install libpangocairo-1.0-0 fonts-dejavu-core'; other scripts want fonts-noto.
                    """),
                scope: .node)
        case .failed(let reason):
            self.init("print-failed", Phrase("It could not be printed: \(reason)"), scope: .node)
        }
    }
}
