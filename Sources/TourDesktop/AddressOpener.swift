import Glibc
import Synchronization

/// Opens addresses for a program that goes on meanwhile.
package final class AddressOpener: Sendable {
    /// Processes that were started and are not known to have ended.
    private let children = Mutex<[pid_t]>([])

    package init() {}

    /// Without a program that shows addresses, does nothing.
    package func open(_ address: String) {
        guard Desktop.isThere else { return }
        children.withLock { children in
            children.removeAll(where: Desktop.reap)
            if let child = Desktop.begin(toShow: address) { children.append(child) }
        }
    }
}
