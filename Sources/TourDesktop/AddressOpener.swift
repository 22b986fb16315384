import Glibc
import Synchronization

/// Opens addresses for a program that goes on meanwhile.
package final class AddressOpener: Sendable {
    /// What was started and is not known to have ended.
    private let children = Mutex<[pid_t]>([])

    package init() {}

    /// Nothing happens where there is nothing to show it with.
    package func open(_ address: String) {
        guard Desktop.isThere else { return }
        children.withLock { children in
            children.removeAll(where: Desktop.reap)
            if let child = Desktop.begin(toShow: address) { children.append(child) }
        }
    }
}
