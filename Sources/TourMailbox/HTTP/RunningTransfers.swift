import CCurl
import NIOHTTP1
import TourModel

/// The transfers of one list of libcurl; used on the loop's thread alone.
struct RunningTransfers {
    // Source: `Protocol/09-mailbox.md`, "Limits".
    private static let connectMilliseconds = 10_000
    private static let silence = Duration.seconds(30)
    /// Connections unused for longer are not reused.
    private static let connectionSeconds = 5
    /// How long the thread sleeps unless it is woken.
    private static let pauseMilliseconds: Int32 = 1_000

    private let multi: UnsafeMutableRawPointer
    private let authority: String?
    private var running: [ObjectIdentifier: RunningTransfer] = [:]

    init(multi: UnsafeMutableRawPointer, authority: String?) {
        self.multi = multi
        self.authority = authority
    }

    var isEmpty: Bool { running.isEmpty }

    mutating func start(_ transfer: Transfer) {
        // The caller may have given up before the transfer began.
        guard !transfer.hasEnded else { return }
        guard let handle = curl_easy_init() else { return transfer.finish(.network(.broken), status: 0) }
        let begun = RunningTransfer(transfer, handle)
        guard begun.configure(), Self.limit(handle, transfer, authority),
            curl_multi_add_handle(multi, handle) == CURLM_OK
        else { return transfer.finish(.network(.broken), status: 0) }
        running[ObjectIdentifier(transfer)] = begun
    }

    private static func limit(_ handle: UnsafeMutableRawPointer, _ transfer: Transfer, _ authority: String?) -> Bool {
        let numbers: [(CURLoption, Int)] = [
            (CURLOPT_CONNECTTIMEOUT_MS, connectMilliseconds),
            (CURLOPT_TIMEOUT_MS, Int(transfer.timeout / .milliseconds(1))),
            (CURLOPT_MAXAGE_CONN, connectionSeconds),
        ]
        guard numbers.allSatisfy({ curl_transfer_set_long(handle, $0.0, $0.1) == CURLE_OK }) else { return false }
        // Ending does not wait for a name look-up. Libraries before 7.87 lack the option.
        _ = curl_transfer_set_long(handle, quickExit, 1)
        guard let authority else { return true }
        // In place of the system's authorities, which the library would also load from their folder.
        return curl_transfer_set_text(handle, CURLOPT_CAINFO, authority) == CURLE_OK
            && curl_transfer_set_text(handle, CURLOPT_CAPATH, nil) == CURLE_OK
    }

    /// CURLOPT_QUICK_EXIT, which older headers lack.
    private static let quickExit = CURLoption(rawValue: 322)

    func resume(_ transfer: Transfer) {
        guard let handle = running[ObjectIdentifier(transfer)]?.handle else { return }
        curl_easy_pause(handle, CURLPAUSE_CONT)
    }

    mutating func end(_ transfer: Transfer) {
        transfer.finish(.network(.cancelled), status: 0)
        remove(transfer)
    }

    /// Fails all transfers at once; `removeAll` releases the library's side of them.
    func cancelAll() {
        for begun in running.values { begun.transfer.finish(.network(.cancelled), status: 0) }
    }

    mutating func removeAll() {
        for transfer in running.values.map(\.transfer) { remove(transfer) }
    }

    private mutating func remove(_ transfer: Transfer) {
        guard let gone = running.removeValue(forKey: ObjectIdentifier(transfer)) else { return }
        withExtendedLifetime(gone) { _ = curl_multi_remove_handle(multi, gone.handle) }
    }

    /// Does the work that is possible without waiting, and finishes the transfers that have ended.
    mutating func go() {
        var count: Int32 = 0
        curl_multi_perform(multi, &count)
        var result = CURLE_OK
        while let handle = curl_transfer_ended(multi, &result) {
            guard let ended = RunningTransfer.of(handle) else { continue }
            ended.finish(result)
            remove(ended.transfer)
        }
        let silent = running.values.filter { $0.isSilent(for: Self.silence) }.map(\.transfer)
        for transfer in silent {
            transfer.finish(.network(.timeout), status: 0)
            remove(transfer)
        }
    }

    /// Waits for activity on a connection, a wake-up, or at most a second.
    func wait() {
        curl_multi_poll(multi, nil, 0, Self.pauseMilliseconds, nil)
    }
}

/// A transfer with its handle, which libcurl's callbacks receive.
private final class RunningTransfer {
    let transfer: Transfer
    let handle: UnsafeMutableRawPointer
    private var lines: UnsafeMutablePointer<curl_slist>?
    /// When a byte was last sent or received.
    private var lastByte = ContinuousClock.now
    /// The library's words about the error.
    private let words = UnsafeMutablePointer<CChar>.allocate(capacity: Int(CURL_ERROR_SIZE))

    init(_ transfer: Transfer, _ handle: UnsafeMutableRawPointer) {
        self.transfer = transfer
        self.handle = handle
        words.initialize(repeating: 0, count: Int(CURL_ERROR_SIZE))
    }

    deinit {
        curl_easy_cleanup(handle)
        curl_slist_free_all(lines)
        words.deallocate()
    }

    static func of(_ handle: UnsafeMutableRawPointer?) -> RunningTransfer? {
        guard let handle, let owner = curl_transfer_owner(handle) else { return nil }
        return Unmanaged<RunningTransfer>.fromOpaque(owner).takeUnretainedValue()
    }

    // MARK: The request

    /// - Returns: false where the library rejects an option.
    func configure() -> Bool {
        let outgoing = transfer.outgoing
        let owner = Unmanaged.passUnretained(self).toOpaque()
        let numbers: [(CURLoption, Int)] = [
            (CURLOPT_NOSIGNAL, 1), (CURLOPT_FOLLOWLOCATION, 0), (CURLOPT_PATH_AS_IS, 1),
            (CURLOPT_HTTP_VERSION, CURL_HTTP_VERSION_1_1), (CURLOPT_PROTOCOLS, Int(CURLPROTO_HTTP | CURLPROTO_HTTPS)),
            (CURLOPT_SSLVERSION, CURL_SSLVERSION_TLSv1_2),
        ]
        // No proxy: only the server that the user named may see the tokens.
        let texts: [(CURLoption, String)] = [
            (CURLOPT_URL, outgoing.address), (CURLOPT_CUSTOMREQUEST, outgoing.method.rawValue), (CURLOPT_PROXY, ""),
        ]
        return numbers.allSatisfy { curl_transfer_set_long(handle, $0.0, $0.1) == CURLE_OK }
            && texts.allSatisfy { curl_transfer_set_text(handle, $0.0, $0.1) == CURLE_OK }
            && curl_transfer_set_text(handle, CURLOPT_ERRORBUFFER, words) == CURLE_OK
            && curl_transfer_set_owner(handle, owner) == CURLE_OK
            && curl_transfer_set_sinks(handle, onHead, onBody) == CURLE_OK
            && setBody(outgoing) && setHeaders(outgoing)
    }

    private func setBody(_ outgoing: OutgoingRequest) -> Bool {
        if let pieces = outgoing.pieces {
            // On a new connection: pieces sent on a dead one could not be sent again.
            return curl_transfer_set_long(handle, CURLOPT_UPLOAD, 1) == CURLE_OK
                && curl_transfer_set_long(handle, CURLOPT_FRESH_CONNECT, 1) == CURLE_OK
                && curl_transfer_set_size(handle, CURLOPT_INFILESIZE_LARGE, curl_off_t(pieces.length)) == CURLE_OK
                && curl_transfer_set_source(handle, onSource) == CURLE_OK
        }
        if outgoing.method == .HEAD { return curl_transfer_set_long(handle, CURLOPT_NOBODY, 1) == CURLE_OK }
        guard !outgoing.body.isEmpty || [.POST, .PUT, .PATCH].contains(outgoing.method) else { return true }
        let size = curl_off_t(outgoing.body.count)
        return curl_transfer_set_size(handle, CURLOPT_POSTFIELDSIZE_LARGE, size) == CURLE_OK
            && (outgoing.body + [0]).withUnsafeBytes { bytes in
                let text = bytes.bindMemory(to: CChar.self).baseAddress
                return curl_transfer_set_text(handle, CURLOPT_COPYPOSTFIELDS, text) == CURLE_OK
            }
    }

    private func setHeaders(_ outgoing: OutgoingRequest) -> Bool {
        // Suppresses headers that the library would add by itself, unless the outgoing sets them.
        var said = outgoing.headers.map { "\($0.name): \($0.value)" } + ["Expect:"]
        for name in ["Content-Type", "Accept"] where !outgoing.headers.contains(name: name) { said.append("\(name):") }
        for line in said {
            // A line break in a header would make it two headers.
            guard !line.utf8.contains(where: { $0 < 0x20 }), let more = curl_slist_append(lines, line) else {
                return false
            }
            lines = more
        }
        return curl_transfer_set_headers(handle, lines) == CURLE_OK
    }

    // MARK: The answer

    /// A callback was called, so bytes were transferred.
    func stir() { lastByte = .now }

    /// Whether the peer has neither sent nor accepted a byte for this long. Time spent waiting for our side does not
    /// count.
    func isSilent(for time: Duration) -> Bool {
        if transfer.waitsForUs { stir() }
        return ContinuousClock.now - lastByte > time
    }

    var status: Int { curl_transfer_status(handle) }

    func finish(_ result: CURLcode) {
        transfer.finish(result == CURLE_OK ? nil : fault(result), status: status)
    }

    private func fault(_ result: CURLcode) -> APIError {
        switch result {
        case CURLE_COULDNT_RESOLVE_HOST, CURLE_COULDNT_CONNECT: .network(.unreachable)
        case CURLE_OPERATION_TIMEDOUT: .network(.timeout)
        case CURLE_SSL_CACERT_BADFILE: .badAuthority
        case CURLE_PEER_FAILED_VERIFICATION: .loginPage(.certificate)
        case CURLE_SSL_CONNECT_ERROR: hasBrokenOff ? .network(.broken) : .loginPage(.certificate)
        default: .network(.broken)
        }
    }

    /// A connection that broke off during the handshake proves nothing about the peer.
    private var hasBrokenOff: Bool {
        let said = String(cString: words)
        return ["SSL_ERROR_SYSCALL", "unexpected eof", "reset by peer"].contains { said.contains($0) }
    }
}

private let onHead: curl_transfer_sink = { bytes, size, count, owner in
    guard let bytes, let owner else { return 0 }
    let running = Unmanaged<RunningTransfer>.fromOpaque(owner).takeUnretainedValue()
    running.stir()
    let line = UnsafeRawBufferPointer(start: bytes, count: size * count)
    return running.transfer.head(line) ? line.count : 0
}

private let onBody: curl_transfer_sink = { bytes, size, count, owner in
    guard let bytes, let owner else { return 0 }
    let running = Unmanaged<RunningTransfer>.fromOpaque(owner).takeUnretainedValue()
    running.stir()
    let part = UnsafeRawBufferPointer(start: bytes, count: size * count)
    return switch running.transfer.receive(part, status: running.status) {
    case .all: part.count
    case .later: Int(CURL_WRITEFUNC_PAUSE)
    case .no: 0
    }
}

private let onSource: curl_transfer_sink = { bytes, size, count, owner in
    guard let bytes, let owner else { return 0 }
    let running = Unmanaged<RunningTransfer>.fromOpaque(owner).takeUnretainedValue()
    running.stir()
    let room = UnsafeMutableRawBufferPointer(start: bytes, count: size * count)
    return switch running.transfer.fill(room) {
    case .bytes(let count): count
    case .later: Int(CURL_READFUNC_PAUSE)
    case .cutShort: Int(CURL_READFUNC_ABORT)
    }
}
