import Testing
import TourModel

/// Goal: what others cause never uses up what ends it.
/// Method: a log at the bounds of its share.
struct LogShareTests {
    @Test func aPartIsKeptForWhatGoverns() {
        let ordinary = Limits.controlLogBytesMax - Limits.governingLogBytesMin
        for (size, isOrdinary, governs) in [
            (0, true, true), (ordinary - 1, true, true), (ordinary, false, true),
            (Limits.controlLogBytesMax - 1, false, true), (Limits.controlLogBytesMax, false, false),
        ] {
            let taken = LogSize(control: size)
            #expect(LogShare.ordinary.hasRoom(for: .control, after: taken) == isOrdinary)
            #expect(LogShare.ofTour.hasRoom(for: .control, after: taken) == governs)
            #expect(LogShare.ordinary.hasRoom(for: .chat, after: taken))
        }
    }
}
