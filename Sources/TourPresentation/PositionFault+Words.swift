import TourPosition
import TourWords

extension PositionFault: SpokenFault {
    package func phrase(on surface: any Surface) -> Phrase {
        switch self {
        case .unreachable(let address): Phrase("No gpsd answers at \(address.description).")
        case .notGpsd(let address): Phrase("What answers at \(address.description) is no gpsd.")
        case .noReceiver: Phrase("gpsd runs, and has no receiver.")
        case .noFix: Phrase("The receiver has no fix yet: it needs a free view of the sky.")
        case .timeApart(let seconds) where seconds < 0:
            Phrase(
                """
                The receiver's fix is \(abs(seconds)) s ahead of this machine's clock: it is not of now, or the clock \
                is wrong.
                """)
        case .timeApart(let seconds):
            Phrase(
                """
                The receiver's fix is \(seconds) s behind this machine's clock: it is not of now, or the clock is \
                wrong.
                """)
        }
    }

    package var advice: Advice? {
        switch self {
        case .unreachable, .notGpsd: .startReceiver
        case .noReceiver: .plugReceiver
        case .noFix, .timeApart: nil
        }
    }
}
