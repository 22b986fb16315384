import FuzzDriver
import TourJSON

/// A JSON text from a client, a server or another program on this machine.
enum JSONHarness {
    static func run(_ bytes: [UInt8]) {
        // A value of two bytes, in an array that grows.
        roundTrip(bytes, memoryFactor: 32, decode: { try? JSON(parsing: $0) }, encode: \.encoded)
    }
}
