import CCurl
import NIOHTTP1
import TourModel

/// The transfers of one list of libcurl; used on the loop's thread alone.
struct RunningTransfers {
    /// Connections unused for longer are not reused.
    private static let connectionSeconds = 5
    /// How long the thread sleeps unless it is woken.
    private static let pauseMilliseconds: Int32 = 1_000

    private let multi: UnsafeMutableRawPointer
    private let authority: String?
    private let limits: TransferLimits
    private var running: [ObjectIdentifier: RunningTransfer] = [:]

    init(multi: UnsafeMutableRawPointer, authority: String?, limits: TransferLimits) {
        self.multi = multi
        self.authority = authority
        self.limits = limits
    }

    var isEmpty: Bool { running.isEmpty }

    mutating func start(_ transfer: Transfer) {
        // The caller may have given up before the transfer began.
        guard !transfer.hasEnded else { return }
        guard let handle = curl_easy_init() else { return transfer.finish(TransferError(.broken), status: 0) }
        let begun = RunningTransfer(transfer, handle)
        guard begun.configure(), limit(handle, transfer), curl_multi_add_handle(multi, handle) == CURLM_OK
        else { return transfer.finish(TransferError(.broken, "libcurl refuses the request"), status: 0) }
        running[ObjectIdentifier(transfer)] = begun
    }

    private func limit(_ handle: UnsafeMutableRawPointer, _ transfer: Transfer) -> Bool {
        let numbers: [(CURLoption, Int)] = [
            (CURLOPT_CONNECTTIMEOUT_MS, Int(limits.connect / .milliseconds(1))),
            (CURLOPT_TIMEOUT_MS, Int(transfer.timeout / .milliseconds(1))),
            (CURLOPT_MAXAGE_CONN, Self.connectionSeconds),
        ]
        guard numbers.allSatisfy({ curl_transfer_set_long(handle, $0.0, $0.1) == CURLE_OK }) else { return false }
        // Ending does not wait for a name look-up. Libraries before 7.87 lack the option.
        _ = curl_transfer_set_long(handle, Self.quickExit, 1)
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
        transfer.finish(TransferError(.cancelled), status: 0)
        remove(transfer)
    }

    /// Fails all transfers at once; `removeAll` releases the library's side of them.
    func cancelAll() {
        for begun in running.values { begun.transfer.finish(TransferError(.cancelled), status: 0) }
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
        let overdue = running.values.filter { $0.isSilent(for: limits.silence) || $0.isLate }.map(\.transfer)
        for transfer in overdue {
            transfer.finish(TransferError(.timeout), status: 0)
            remove(transfer)
        }
    }

    /// Waits for activity on a connection, a wake-up, or at most a second.
    func wait() {
        curl_multi_poll(multi, nil, 0, Self.pauseMilliseconds, nil)
    }
}
