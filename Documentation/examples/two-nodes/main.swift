// Two devices in one process: one founds a tour, the other joins by a code; they talk, part, write while apart, and
// catch up. Their connection is a pipe in memory, their disks are dictionaries, and their clock is this program's own,
// so that it takes no time. It ends with 0 only if both show the same and know that it was read.

import TourKit

/// One device with its disk, and the bytes on their way to it.
@MainActor
final class Phone {
    let name: String
    var device: TourDevice
    var disk: [String: [UInt8]] = [:]
    var arriving: [(Connection, [UInt8])] = []
    var joined: TourIdentifier?

    init(_ name: String, at moment: Moment) throws {
        self.name = name
        device = try TourDevice(name: name, at: moment)
    }

    /// The app ends and starts again: all that it has is what it kept.
    func restart(at moment: Moment) throws { device = try TourDevice(name: name, kept: disk, at: moment) }

    /// The texts of the tour, and how far each has come.
    func chat(of tour: TourIdentifier) throws -> [(text: String, status: TourMessage.Status)] {
        try device.messages(of: tour).map { ($0.text, $0.status) }
    }
}

/// A cable between two phones, and the time.
@MainActor
final class World {
    var uptime: Duration = .seconds(1)
    let anna: Phone
    let ben: Phone
    var cable: Connection?
    private var plugged: UInt64 = 0

    init() throws {
        let now = Moment(uptime: .seconds(1), since1970: .seconds(1_790_000_000))
        anna = try Phone("Anna", at: now)
        ben = try Phone("Ben", at: now)
    }

    var now: Moment { Moment(uptime: uptime, since1970: .seconds(1_790_000_000) + uptime) }

    /// Connects the two: both know the new connection by its number.
    func plug() throws -> Connection {
        plugged += 1
        let connection = Connection(plugged)
        cable = connection
        try anna.device.accept(connection, from: "ben", at: now)
        return connection
    }

    func unplug() {
        guard let connection = cable else { return }
        cable = nil
        for phone in [anna, ben] { phone.device.closed(connection, at: now) }
    }

    /// Carries out what a device asks for. Returns whether there was anything.
    func carryOut(_ phone: Phone) -> Bool {
        let other = phone === anna ? ben : anna
        let actions = phone.device.drainActions()
        for action in actions {
            switch action {
            case .write(let connection, let bytes):
                if connection == cable { other.arriving.append((connection, bytes)) }
                phone.device.written(connection, at: now)
            case .close(let connection):
                guard connection == cable else { break }
                deliver(to: other)
                cable = nil
                other.device.closed(connection, at: now)
            case .read: break  // a cable in memory is never behind
            case .keep(let records): for record in records { phone.disk[record.key] = record.value }
            case .notice(.joined(let tour, _)): phone.joined = tour
            case .notice(.message(_, let message)) where message.status != .pending:
                print("        \(phone.name) gets: \(message.text)")
            case .notice: break
            }
        }
        return !actions.isEmpty
    }

    func deliver(to phone: Phone) {
        let arriving = phone.arriving
        phone.arriving = []
        for (connection, bytes) in arriving { phone.device.receive(bytes, on: connection, at: now) }
    }

    /// Lets time pass until something is so.
    func wait(for what: String, until isSo: () throws -> Bool) throws {
        let deadline = uptime + .seconds(300)
        while try !isSo() {
            deliver(to: anna)
            deliver(to: ben)
            let (one, two) = (carryOut(anna), carryOut(ben))
            if one || two { continue }
            let due = [anna, ben].compactMap { $0.device.nextDeadline }.min() ?? deadline
            uptime = max(uptime + .milliseconds(1), due)
            guard uptime < deadline else { fatalError("not within five minutes: \(what)") }
            for phone in [anna, ben] { phone.device.pass(to: now) }
        }
    }
}

let world = try World()
let (anna, ben) = (world.anna, world.ben)

print("Anna founds a tour, and makes a code.")
let tour = try anna.device.found("Museum", at: world.now)
let code = try anna.device.invite(to: tour, uses: 1, at: world.now)

print("Ben joins with it: \(code.text.prefix(9))…")
try ben.device.dial(try world.plug(), joining: code, at: world.now)
try world.wait(for: "the join") { ben.joined == tour }
world.unplug()

print("They talk.")
try ben.device.dial(try world.plug(), for: tour, at: world.now)
try anna.device.announce("Bus leaves at 17:10", to: tour, isUrgent: true, at: world.now)
try world.wait(for: "the announcement") { try ben.chat(of: tour).count == 1 }
try ben.device.send("On my way", to: tour, at: world.now)
try world.wait(for: "two messages that everybody has") {
    try anna.chat(of: tour).filter(\.status.isDelivered).count == 2
}

print("They part, and both write.")
world.unplug()
try anna.device.send("Bus is late, 17:25", to: tour, at: world.now)
world.uptime += .seconds(1)
try ben.device.send("I wait at the fountain", to: tour, at: world.now)
try world.wait(for: "what was written to be kept") { !world.carryOut(anna) && !world.carryOut(ben) }
guard try anna.chat(of: tour).last?.status == .pending else { fatalError("nobody can have it yet") }

print("Ben's phone restarts, and they meet again.")
try ben.restart(at: world.now)
try ben.device.dial(try world.plug(), for: tour, at: world.now)
try world.wait(for: "all four messages on both") {
    try anna.chat(of: tour).count == 4 && ben.chat(of: tour).count == 4
}
for phone in [anna, ben] { try phone.device.markRead(tour, at: world.now) }
try world.wait(for: "all to be read") {
    try anna.chat(of: tour).allSatisfy { $0.status == .read } && ben.chat(of: tour).allSatisfy { $0.status == .read }
}

let names = try anna.device.members(of: tour, at: world.now).compactMap(\.name)
print("Both show, in the tour '\(ben.device.name(of: tour) ?? "?")' of \(names.joined(separator: " and ")):")
guard try anna.chat(of: tour).map(\.text) == ben.chat(of: tour).map(\.text) else { fatalError("they differ") }
for message in try ben.chat(of: tour) { print("    \(message.text) (\(message.status.rawValue))") }
