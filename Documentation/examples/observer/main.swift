// A member that listens: joins a tour of a running tour-chat node, and shows its chat as it comes.
//
//     observer FOLDER CODE [HOST:PORT]     the first time: by a code, or the link that `tour-chat tour invite` shows
//     observer FOLDER HOST:PORT            later: by the address of any member
//
// FOLDER keeps what the library asks to keep, one file for each record: in an app the secret ones belong into the
// system's key store. One connection, one thread, and poll(2) between them.

import Foundation
import TourKit

/// The records of the device, in files.
struct Shelf {
    let folder: URL

    func all() throws -> [String: [UInt8]] {
        try FileManager.default.createDirectory(
            at: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        let files = try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
        return try files.reduce(into: [:]) { records, file in
            let key = file.lastPathComponent.replacingOccurrences(of: ".", with: "/")
            records[key] = [UInt8](try Data(contentsOf: file))
        }
    }

    /// An app writes them in one transaction of its database: all or none.
    func write(_ records: [KeptRecord]) throws {
        for record in records {
            let file = folder.appending(path: record.key.replacingOccurrences(of: "/", with: "."))
            if let value = record.value {
                try Data(value).write(to: file, options: .atomic)
            } else {
                try? FileManager.default.removeItem(at: file)
            }
        }
    }
}

/// A TCP connection. Its socket blocks, and is read only when poll says that there is something.
final class Socket {
    let descriptor: Int32

    /// - Returns: nil if nobody accepts the connection.
    init?(to address: PeerAddress) {
        var hints = addrinfo()
        #if canImport(Glibc)
            hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
        #else
            hints.ai_socktype = SOCK_STREAM
        #endif
        var found: UnsafeMutablePointer<addrinfo>?
        guard getaddrinfo(address.host, String(address.port), &hints, &found) == 0, let first = found else {
            return nil
        }
        defer { freeaddrinfo(found) }
        descriptor = socket(first.pointee.ai_family, first.pointee.ai_socktype, first.pointee.ai_protocol)
        guard connect(descriptor, first.pointee.ai_addr, first.pointee.ai_addrlen) == 0 else { return nil }
    }

    deinit { close(descriptor) }

    func write(_ bytes: [UInt8]) -> Bool {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
            guard count > 0 else { return false }
            rest = rest.dropFirst(count)
        }
        return true
    }

    /// Waits for bytes, but at most this long.
    /// - Returns: none when the time is over; nil at the end of the connection.
    func read(within milliseconds: Int32) -> [UInt8]? {
        var wanted = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        guard poll(&wanted, 1, milliseconds) > 0 else { return [] }
        var buffer = [UInt8](repeating: 0, count: 65_536)
        let count = recv(descriptor, &buffer, buffer.count, 0)
        return count > 0 ? Array(buffer[..<count]) : nil
    }
}

func now() -> Moment {
    var uptime = timespec()
    var wall = timespec()
    #if canImport(Glibc)
        clock_gettime(CLOCK_BOOTTIME, &uptime)
    #else
        clock_gettime(CLOCK_MONOTONIC, &uptime)
    #endif
    clock_gettime(CLOCK_REALTIME, &wall)
    return Moment(
        uptime: .seconds(uptime.tv_sec) + .nanoseconds(uptime.tv_nsec),
        since1970: .seconds(wall.tv_sec) + .nanoseconds(wall.tv_nsec))
}

func say(_ line: String) { FileHandle.standardOutput.write(Data((line + "\n").utf8)) }

func stop(_ why: String) -> Never {
    FileHandle.standardError.write(Data((why + "\n").utf8))
    exit(1)
}

/// Talks to one member for as long as the connection lasts.
@MainActor
struct Observer {
    let device: TourDevice
    let shelf: Shelf
    var dials: UInt64 = 0
    /// Dials since the last link: each tries an older key of the tour.
    var attempt = 0

    /// - Parameter begin: says to the device what the connection is for.
    /// - Returns: once the connection has ended.
    mutating func talk(to address: PeerAddress, _ begin: (Connection) throws -> Void) throws {
        dials += 1
        let connection = Connection(dials)
        guard let socket = Socket(to: address) else { return say("nobody answers at \(address)") }
        try begin(connection)
        while true {
            guard try carryOut(connection, socket) else { return }
            let wait = device.nextDeadline.map { $0 - now().uptime } ?? .seconds(1)
            let milliseconds = Int32(max(0, min(1_000, wait / .milliseconds(1) + 1)))
            guard let bytes = socket.read(within: milliseconds) else { return device.closed(connection, at: now()) }
            if !bytes.isEmpty { device.receive(bytes, on: connection, at: now()) }
            device.pass(to: now())
        }
    }

    /// - Returns: false once the connection has ended.
    mutating func carryOut(_ connection: Connection, _ socket: Socket) throws -> Bool {
        var (isOpen, isBroken) = (true, false)
        while true {
            let actions = device.drainActions()
            if actions.isEmpty { return isOpen && !isBroken }
            for action in actions {
                switch action {
                case .keep(let records): try shelf.write(records)
                case .write(_, let bytes):
                    // A record to keep may stand behind it.
                    if !isBroken, socket.write(bytes) { device.written(connection, at: now()) } else { isBroken = true }
                case .close: isOpen = false
                case .read: break  // one message after the other is fast enough here
                case .notice(let notice): show(notice)
                }
            }
            if isBroken { device.closed(connection, at: now()) }
        }
    }

    mutating func show(_ notice: TourNotice) {
        switch notice {
        case .joined: say("joined")
        case .refused(_, let why): stop("refused: \(why.rawValue)")
        case .linked:
            attempt = 0
            say("linked")
        case .message(let tour, let message):
            let members = (try? device.members(of: tour, at: now())) ?? []
            let author = members.first { $0.id == message.author }?.name ?? message.author.description
            say("\(author): \(message.text)")
            try? device.markRead(tour, at: now())
        case .ended(_, let why): if let why { say("ended: \(why)") }
        case .statuses, .members, .copied: break
        }
    }
}

let words = CommandLine.arguments.dropFirst()
guard words.count == 2 || words.count == 3 else { stop("usage: observer FOLDER CODE [HOST:PORT], or FOLDER HOST:PORT") }
let shelf = Shelf(folder: URL(filePath: words[1]))
let device = try TourDevice(name: "Observer", kept: try shelf.all(), at: now())
let code = try? JoinCode(words[2])
guard let address = PeerAddress(words[words.endIndex - 1]) ?? code?.addresses.first else { stop("no address") }
var observer = Observer(device: device, shelf: shelf)

if device.tourIdentifiers.isEmpty {
    guard let code else { stop("a code comes first: \(words[2]) is none") }
    try observer.talk(to: address) { try device.dial($0, joining: code, at: now()) }
}
guard let tour = device.tourIdentifiers.first else { stop("nobody let us in") }
while true {
    let attempt = observer.attempt
    observer.attempt += 1
    try observer.talk(to: address) { try device.dial($0, for: tour, attempt: attempt, at: now()) }
    sleep(1)
}
