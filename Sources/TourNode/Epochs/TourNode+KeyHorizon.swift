import Logging
import TourCrypto
import TourGroup
import TourModel
import TourRuntime
import TourStore
import TourTransport
import TourWire

// When tours that are over lose their keys.
extension TourNode {
    /// Checks from time to time whether the keys are due to be wiped.
    func reviewKeys(of session: TourSession) {
        let wall = NodeClock.wallMilliseconds
        let host = LiveKeyHorizonHost(node: self, session: session)
        do {
            guard !settings.isOffline,
                try session.horizon.isPast(days: settings.keyDays, wallMilliseconds: wall, in: host)
            else { return }
        } catch { return count(error) }
        Task {
            do {
                try await self.wipeKeys(in: session.tour.hex, wallMilliseconds: wall)
            } catch {
                self.logger.error("wiping the keys of a tour failed", metadata: ["error": "\(error)"])
            }
        }
    }

    /// Archives the readable events of a tour and wipes its keys, if the tour has been over for long enough.
    /// - Parameter wallMilliseconds: by our own clock, so that no other clock can bring the day nearer.
    package func wipeKeys(in tour: String?, wallMilliseconds: Int64) async throws {
        let session = try session(tour)
        let host = LiveKeyHorizonHost(node: self, session: session)
        guard try session.horizon.isPast(days: settings.keyDays, wallMilliseconds: wallMilliseconds, in: host) else {
            return
        }
        try await session.horizon.wipe(in: host)
        if session.machine.hasWipedKeys {
            logger.notice("a tour has been over for long: its keys are wiped, its messages stay readable here")
        }
    }
}
