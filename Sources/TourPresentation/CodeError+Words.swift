import TourCode
import TourWords

extension CodeError: SpokenFault {
    package func phrase(on surface: any Surface) -> Phrase {
        switch self {
        case .noDrawer: Phrase("No QR code can be drawn here: install libqrencode4, or send the code as text.")
        case .badText: Phrase("A QR code holds 1 to \(QRCode.textBytesMax) bytes of text.")
        case .noScanner: Phrase("No QR code can be read here: install libzbar0, or paste the code as text.")
        case .badFrame:
            Phrase(
                """
                A frame is \(QRScanner.sideMin) to \(QRScanner.sideMax) pixels wide and high, \
                \(QRScanner.pixelsMax) in all, with one grey byte for each.
                """)
        }
    }
}
