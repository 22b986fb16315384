import ArgumentParser
import TourWords

/// The address of gpsd.
package struct GpsdOption: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            Phrase("gpsd's address (default: TOUR_CHAT_GPSD, else 127.0.0.1:2947)."), valueName: "host:port"))
    var gpsd: String?

    package init() {}

    package func validate() throws {
        if let gpsd, !PeerAddress.isValid(gpsd) {
            throw ValidationError(Phrase("--gpsd wants HOST:PORT, for IPv6 [ADDRESS]:PORT, not '\(gpsd)'."))
        }
    }

    /// - Throws: for an environment variable that is no address.
    package func address() throws(CommandFailure) -> String? {
        if let gpsd { return gpsd }
        guard let variable = environmentValue("TOUR_CHAT_GPSD"), !variable.isEmpty else { return nil }
        guard PeerAddress.isValid(variable) else {
            throw CommandFailure(code: "bad-gpsd", message: Phrase("TOUR_CHAT_GPSD is HOST:PORT, not '\(variable)'"))
        }
        return variable
    }
}
