import ArgumentParser
import ServerBase
import ServerRequests
import TourServer

/// The room that notebooks have on the server.
struct RoomOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "The files of one account, and at most as much for its texts: 500MiB, 2GiB.", valueName: "size"))
    var accountRoom = ByteSize(bytes: ServerLimits.accountRoom)
    @Option(
        help: ArgumentHelp(
            "The same of a guest, and of an account until its phone or address is proven.", valueName: "size"))
    var guestRoom = ByteSize(bytes: ServerLimits.guestRoom)
    @Option(
        help: ArgumentHelp(
            "The texts and files of all notebooks; guests and unproven accounts have half of it.", valueName: "size"))
    var notebooksRoom = ByteSize(bytes: ServerLimits.notebooksRoom)

    var rooms: AccountRooms {
        var rooms = AccountRooms()
        (rooms.account, rooms.guest, rooms.notebooks) = (accountRoom.bytes, guestRoom.bytes, notebooksRoom.bytes)
        return rooms
    }
}

/// A number of bytes as an operator writes it.
struct ByteSize: ExpressibleByArgument {
    /// In `ServerLimits.roomRange`.
    let bytes: Int64

    private static let units: [(name: String, bytes: Int64)] = [("TiB", 1 << 40), ("GiB", 1 << 30), ("MiB", 1 << 20)]

    init(bytes: Int64) { self.bytes = bytes }

    /// - Returns: nil unless it is a whole number with MiB, GiB or TiB, in `ServerLimits.roomRange`.
    init?(argument: String) {
        guard let unit = Self.units.first(where: { argument.hasSuffix($0.name) }),
            let count = Int64(argument.dropLast(unit.name.count)), count > 0,
            case let (bytes, isTooMuch) = count.multipliedReportingOverflow(by: unit.bytes), !isTooMuch,
            ServerLimits.roomRange.contains(bytes)
        else { return nil }
        self.bytes = bytes
    }

    var defaultValueDescription: String {
        let unit = Self.units.first { bytes % $0.bytes == 0 }
        return unit.map { "\(bytes / $0.bytes)\($0.name)" } ?? String(bytes)
    }
}
