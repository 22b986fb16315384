import TourModel
import TourWire

/// What surrounds the machine of one tour: clocks, timers, links, the store and the verifier. A node's is live, the
/// simulator's is under a virtual clock.
package protocol TourEnvironment {
    /// What both clocks show.
    var reading: ClockReading { get }
    /// When the work of the step that is being carried out has ended.
    var applied: Instant { get }
    /// For random times and orders.
    var rng: SplitMix64 { get nonmutating set }
    /// How many bytes wait in a link's queue; 0 if the link is not open.
    func queuedBytes(on link: LinkID) -> Int
    /// Queues a message on a link.
    func send(_ message: LinkMessage, on link: LinkID)
    /// Carries out any other effect, or begins to; results come back by `EffectRunner.feed`.
    func carryOut(_ effect: TourEffect)
    /// Calls `EffectRunner.sendOwed` after a pause in which a link's queue may drain.
    func goOn(sendingOwedOn link: LinkID)
    /// Feeds `TourInput.timer` at this time, or earlier; nil: nothing waits.
    func wake(at deadline: Instant?)
}

/// Hands the machine of a tour its inputs, one after the other, and has the effects of each carried out before the
/// next.
package final class EffectRunner {
    private enum Turn {
        case input(TourInput)
        case work(() -> Void)
    }

    /// The machine.
    package let machine: TourMachine
    /// What is being handled, and what waits for it.
    private var turns: [Turn] = []

    package init(_ machine: TourMachine) { self.machine = machine }

    /// Hands the machine an input. If effects are being carried out, the input waits until that is done.
    package func feed(_ input: TourInput, in environment: some TourEnvironment) {
        enqueue(.input(input), environment)
    }

    /// Does work that belongs to the tour, in its order among the inputs.
    package func perform(in environment: some TourEnvironment, _ work: @escaping () -> Void) {
        enqueue(.work(work), environment)
    }

    private func enqueue(_ turn: Turn, _ environment: some TourEnvironment) {
        turns.append(turn)
        guard turns.count == 1 else { return }
        var next = 0
        while next < turns.count {
            switch turns[next] {
            case .input(let input): step(input, environment)
            case .work(let work): work()
            }
            next += 1
        }
        turns.removeAll(keepingCapacity: true)
        environment.wake(at: machine.nextDeadline)
    }

    private func step(_ input: TourInput, _ environment: some TourEnvironment) {
        var step = TourStep(at: environment.reading, rng: environment.rng)
        machine.handle(input, &step)
        environment.rng = step.rng
        for effect in step.effects {
            switch effect {
            case .send(let link, let message): environment.send(message, on: link)
            case .sendOwed(let link): sendOwed(on: link, in: environment)
            default: environment.carryOut(effect)
            }
        }
        machine.ended(step, at: environment.applied)
    }

    /// Sends a link what it is owed, as far as its queue has room.
    package func sendOwed(on link: LinkID, in environment: some TourEnvironment) {
        while let message = machine.nextOwed(on: link, queuedBytes: environment.queuedBytes(on: link)) {
            environment.send(message, on: link)
        }
        if machine.owesMore(on: link) { environment.goOn(sendingOwedOn: link) }
    }
}
