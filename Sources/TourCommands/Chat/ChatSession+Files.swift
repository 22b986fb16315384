import Glibc
import TourWeb
import TourWords

// Files that are sent and saved while people talk.
extension ChatSession {
    /// One after the other, beside the texts: a large one takes a while to be sealed.
    func send(_ orders: AsyncStream<ChatLoop.FileOrder>, into source: AsyncStream<Event>.Continuation) async {
        for await order in orders {
            do {
                try await send(order.file, into: source)
            } catch let failure as CommandFailure {
                source.yield(.refused(line: order.line, failure))
            } catch {
                return
            }
        }
    }

    private func send(_ typed: FileToSend, into source: AsyncStream<Event>.Continuation) async throws {
        var file = typed
        file.path = try AbsolutePath.ofTyped(typed.path)
        async let _ = remind(of: typed, into: source)
        _ = try await client.call(.POST, path("files"), file.json())
    }

    private func remind(of file: FileToSend, into source: AsyncStream<Event>.Continuation) async throws {
        try await Task.sleep(for: PatienceLine.patience)
        source.yield(.notice(Phrase("Preparing \(TerminalText.safe(file.path)) …")))
    }

    /// All at once: one that nobody near has keeps none of the others waiting.
    func save(_ orders: AsyncStream<ChatLoop.SaveOrder>, into source: AsyncStream<Event>.Continuation) async {
        await withDiscardingTaskGroup { tasks in
            for await order in orders {
                tasks.addTask {
                    do {
                        try await save(order, into: source)
                    } catch let failure as CommandFailure {
                        source.yield(.notice(Phrase("Not saved: \(TerminalText.safe(failure.message.text))")))
                    } catch {
                        // The chat ends.
                    }
                }
            }
        }
    }

    private func save(_ order: ChatLoop.SaveOrder, into source: AsyncStream<Event>.Continuation) async throws {
        let directory = try order.directory.map { try AbsolutePath.ofDirectory(AbsolutePath.ofTyped($0)) }
        let fetch = FileFetch(tour: tourID, id: order.id.text)
        let file = try await fetch.standing(client)
        if !file.isComplete {
            let size = ByteCount.shown(file.size)
            let name = TerminalText.safe(file.name)
            source.yield(.notice(Phrase("Fetching \(name) (\(size)): it is saved when it is here.")))
            var silence = FileWait()
            _ = try await fetch.wait(client) { file, elapsed in
                if let note = silence.note(file, at: elapsed) { source.yield(.notice(note)) }
            }
        }
        let saved = try await fetch.save(client, in: directory ?? Self.downloads())
        source.yield(.notice(Phrase("Saved: \(TerminalText.safe(saved.shown("path")))")))
    }

    /// Where people look for what was saved; it is made where it is missing.
    private static func downloads() throws -> String {
        let path = try AbsolutePath.ofTyped("~/Downloads")
        mkdir(path, 0o755)
        return try AbsolutePath.ofDirectory(path)
    }
}
