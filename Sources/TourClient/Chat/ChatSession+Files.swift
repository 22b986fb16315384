import Glibc
import TourAPI
import TourJSON
import TourWords

// Sending and saving files while people chat.
extension ChatSession {
    /// Sends files one after the other, while texts go on: sealing a large one takes a while.
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

    /// Saves all files at once: one that no neighbour has delays none of the others.
    func save(_ orders: AsyncStream<ChatLoop.SaveOrder>, into source: AsyncStream<Event>.Continuation) async {
        await withDiscardingTaskGroup { tasks in
            for await order in orders {
                tasks.addTask {
                    do {
                        try await save(order, into: source)
                    } catch let failure as CommandFailure {
                        source.yield(.notice(Phrase("Not saved: \(TerminalText.safe(failure.message.text))")))
                    } catch {
                        // The chat has ended.
                    }
                }
            }
        }
    }

    private func save(_ order: ChatLoop.SaveOrder, into source: AsyncStream<Event>.Continuation) async throws {
        let directory = try order.directory.map { try AbsolutePath.ofDirectory(AbsolutePath.ofTyped($0)) }
        let fetch = FileFetch(tour: tourID, id: order.id.text)
        let file = try await fetch.standing(client)
        if !file.complete {
            let size = ByteCount.shown(file.size)
            let name = TerminalText.safe(file.name)
            source.yield(.notice(Phrase("Fetching \(name) (\(size)): it is saved when it is here.")))
            var silence = FileWait()
            _ = try await fetch.wait(client) { file, elapsed in
                if let note = silence.nextPhrase(for: file, at: elapsed) { source.yield(.notice(note)) }
            }
        }
        let saved = try await fetch.save(client, in: directory ?? Self.downloads())
        source.yield(.notice(Phrase("Saved: \(TerminalText.safe(try SavedFile(answer: saved).path))")))
    }

    /// The user's downloads directory; created if it is missing.
    private static func downloads() throws -> String {
        let path = try AbsolutePath.ofTyped("~/Downloads")
        mkdir(path, 0o755)
        return try AbsolutePath.ofDirectory(path)
    }
}
