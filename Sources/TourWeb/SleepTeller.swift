import TourDesktop
import TourNode

/// Tells the members of each tour when this machine sleeps, so that nobody waits for it.
/// Source: `Protocol/16-phone.md`, "Before it is suspended".
struct SleepTeller: Sendable {
    /// How long the last rows take to leave: links send at once, and datagrams soon after.
    private static let farewell: Duration = .milliseconds(300)

    let slot: NodeSlot

    /// Until the task is cancelled.
    func run() async {
        guard let watch = SleepWatch() else { return }
        await withTaskCancellationHandler {
            for await event in watch.events { await heed(event) }
        } onCancel: {
            watch.end()
        }
    }

    private func heed(_ event: SleepWatch.Event) async {
        // A node that is locked has no links.
        guard let node = try? slot.node else { return }
        switch event {
        case .sleeps(let hold):
            await node.rest()
            try? await Task.sleep(for: Self.farewell)
            withExtendedLifetime(hold) {}
        case .wakes: await node.wake()
        }
    }
}
