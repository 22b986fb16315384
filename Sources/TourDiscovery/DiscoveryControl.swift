import CAvahi
import Glibc
import Synchronization
import TourModel

/// The wishes of others for the discovery loop, and the means to wake it: the only state shared with Avahi's thread.
final class DiscoveryControl: Sendable {
    private struct Wishes {
        var advertisement: Advertisement?
        var isStopped = false
        var effort = DiscoveryEffort.watch
        var unreachable: Set<String> = []
    }

    private let wishes = Mutex(Wishes())
    /// Readable after `wake`; -1 when the system had no descriptor.
    let descriptor: Int32

    init() { descriptor = eventfd(0, Int32(EFD_CLOEXEC) | Int32(EFD_NONBLOCK)) }

    deinit { if descriptor >= 0 { close(descriptor) } }

    var advertisement: Advertisement? { wishes.withLock { $0.advertisement } }
    var effort: DiscoveryEffort { wishes.withLock { $0.effort } }
    var isStopped: Bool { wishes.withLock { $0.isStopped } }

    func advertise(_ advertisement: Advertisement?) {
        wishes.withLock { $0.advertisement = advertisement }
        wake()
    }

    func set(_ effort: DiscoveryEffort) {
        let hasChanged = wishes.withLock { wishes in
            defer { wishes.effort = effort }
            return wishes.effort != effort
        }
        if hasChanged { wake() }
    }

    func unreachable(instance: String) {
        let isNew = wishes.withLock {
            $0.unreachable.count < Limits.candidatesMax && $0.unreachable.insert(instance).inserted
        }
        if isNew { wake() }
    }

    /// Returns the services that could not be reached since the last call.
    func drainUnreachable() -> Set<String> {
        wishes.withLock { wishes in
            defer { wishes.unreachable = [] }
            return wishes.unreachable
        }
    }

    func stop() {
        wishes.withLock { $0.isStopped = true }
        wake()
    }

    /// Never blocks: a full counter serves as well as one more.
    func wake() {
        var one: UInt64 = 1
        _ = write(descriptor, &one, MemoryLayout<UInt64>.size)
    }

    /// Resets all wakes so far.
    func settle() {
        var count: UInt64 = 0
        _ = read(descriptor, &count, MemoryLayout<UInt64>.size)
    }
}
