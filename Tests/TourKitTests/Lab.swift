import TourKit

/// Devices, cables between them, and a clock of their own. A cable has one number at both ends.
final class Lab {
    static let start: Duration = .seconds(1_790_000_000)

    private(set) var uptime: Duration = .seconds(1)
    private(set) var phones: [Phone] = []
    private var plugged: UInt64 = 0

    var now: Moment { Moment(uptime: uptime, since1970: Self.start + uptime) }

    /// A device, new or with what another kept.
    func phone(
        _ name: String, disk: [String: [UInt8]] = [:], from origin: TourDevice.Origin = .thisDevice
    ) throws -> Phone {
        let phone = Phone(name, try TourDevice(name: name, kept: disk, from: origin, at: now), disk: disk)
        phones.append(phone)
        return phone
    }

    /// Connects two devices; the first one dials.
    @discardableResult
    func plug(
        _ one: Phone, _ other: Phone, _ begin: (TourDevice, Connection) throws -> Void
    ) throws -> Connection {
        plugged += 1
        let connection = Connection(plugged)
        (one.cables[connection], other.cables[connection]) = (other, one)
        try other.device.accept(connection, from: one.name, at: now)
        try begin(one.device, connection)
        return connection
    }

    /// Connects two members of a tour.
    @discardableResult
    func link(_ one: Phone, _ other: Phone, _ tour: TourIdentifier) throws -> Connection {
        try plug(one, other) { try $0.dial($1, for: tour, at: now) }
    }

    /// Lets a device in, and unplugs it again.
    func join(_ newcomer: Phone, through host: Phone, _ code: JoinCode) throws -> TourIdentifier? {
        try plug(newcomer, host) { try $0.dial($1, joining: code, at: now) }
        _ = run { newcomer.joined != nil || newcomer.refused != nil }
        unplug(newcomer)
        return newcomer.joined
    }

    /// The cables of a device break.
    func unplug(_ phone: Phone) {
        for (connection, other) in phone.cables {
            (phone.cables[connection], other.cables[connection]) = (nil, nil)
            phone.device.closed(connection, at: now)
            other.device.closed(connection, at: now)
        }
        carryOutAll()
    }

    /// The app of a device ends, without a word, and another begins with what it kept.
    func restart(_ phone: Phone, from origin: TourDevice.Origin = .thisDevice) throws {
        unplug(phone)
        phone.arriving = []
        phone.device = try TourDevice(name: phone.name, kept: phone.disk, from: origin, at: now)
    }

    /// Lets time pass until something is so, or five minutes are over.
    /// - Returns: whether it is.
    func run(until isSo: () throws -> Bool) rethrows -> Bool {
        let deadline = uptime + .seconds(300)
        while true {
            carryOutAll()
            if try isSo() { return true }
            let due = phones.compactMap { $0.device.nextDeadline }.min() ?? deadline
            uptime = max(uptime + .milliseconds(1), due)
            guard uptime < deadline else { return false }
            for phone in phones { phone.device.pass(to: now) }
        }
    }

    /// Lets this much time pass.
    func run(for time: Duration) {
        let end = uptime + time
        _ = run { uptime >= end }
    }

    /// Carries out what all devices ask for, until they ask for nothing.
    func carryOutAll() {
        var isBusy = true
        while isBusy {
            isBusy = false
            for phone in phones {
                let arriving = phone.arriving
                phone.arriving = []
                for (connection, bytes) in arriving where phone.cables[connection] != nil {
                    phone.device.receive(bytes, on: connection, at: now)
                }
                if carryOut(phone) || !arriving.isEmpty { isBusy = true }
            }
        }
    }

    private func carryOut(_ phone: Phone) -> Bool {
        let actions = phone.device.drainActions()
        for action in actions {
            phone.record(action)
            switch action {
            case .write(let connection, let bytes):
                phone.cables[connection]?.arriving.append((connection, bytes))
                phone.device.written(connection, at: now)
            case .close(let connection):
                guard let other = phone.cables.removeValue(forKey: connection) else { break }
                for (arriving, bytes) in other.arriving where arriving == connection {
                    other.device.receive(bytes, on: connection, at: now)
                }
                other.arriving.removeAll { $0.0 == connection }
                other.cables[connection] = nil
                other.device.closed(connection, at: now)
            case .read, .keep, .notice: break
            }
        }
        return !actions.isEmpty
    }
}

/// One device with its disk, and what it said.
final class Phone {
    let name: String
    var device: TourDevice
    var disk: [String: [UInt8]]
    var cables: [Connection: Phone] = [:]
    var arriving: [(Connection, [UInt8])] = []
    private(set) var joined: TourIdentifier?
    private(set) var refused: JoinRefused?
    private(set) var notices: [TourNotice] = []
    /// The records that were to be kept, and the bytes that were to be written, in this order.
    private(set) var actions: [TourAction] = []

    init(_ name: String, _ device: TourDevice, disk: [String: [UInt8]]) {
        self.name = name
        self.device = device
        self.disk = disk
    }

    func record(_ action: TourAction) {
        actions.append(action)
        switch action {
        case .keep(let records): for record in records { disk[record.key] = record.value }
        case .notice(let notice):
            notices.append(notice)
            if case .joined(let tour, _) = notice { joined = tour }
            if case .refused(_, let why) = notice { refused = why }
        case .write, .close, .read: break
        }
    }

    /// The texts of a tour, in the order of the page.
    func texts(_ tour: TourIdentifier) throws -> [String] { try device.messages(of: tour).map(\.text) }

    func status(of id: MessageIdentifier, _ tour: TourIdentifier) throws -> TourMessage.Status? {
        try device.message(id, of: tour)?.status
    }
}
