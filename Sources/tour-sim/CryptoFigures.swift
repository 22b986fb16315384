import TourSimulator

/// The figures of a load, as `tour-sim crypto --json` prints them. Times are medians.
struct CryptoFigures: Encodable {
    let devices: Int
    let events: Int
    let runs: Int
    let signaturesPerSecond: Double
    let rekeyMs: Double
    let rekeyBytes: Int
    let openMs: Double
    let verifyMs: Double
    let handshakesPerSecond: Double

    private static let rounds = 15
    private static let signatures = 500
    private static let handshakes = 200
    /// Opening one wrap is too short to be timed alone.
    private static let openings = 50

    /// - Returns: nil when something did not verify or open.
    init?(_ load: CryptoLoad, devices: Int, events: Int) {
        guard let rekey = load.rekey(), let told = load.recipient(of: rekey) else { return nil }
        self.devices = devices
        self.events = events
        runs = load.runCount
        rekeyBytes = told.eventBytes
        guard let signature = Self.median({ Self.all(Self.signatures, load.verifySignature) }),
            let making = Self.median({ load.rekey() != nil }),
            let opening = Self.median({ Self.all(Self.openings, told.opens) }),
            let verifying = Self.median({ load.verifyRuns() == events }),
            let handshake = Self.median({ Self.all(Self.handshakes, load.handshake) })
        else { return nil }
        signaturesPerSecond = Double(Self.signatures) / signature
        rekeyMs = making * 1_000
        openMs = opening * 1_000 / Double(Self.openings)
        verifyMs = verifying * 1_000
        handshakesPerSecond = Double(Self.handshakes) / handshake
    }

    private static func all(_ count: Int, _ step: () -> Bool) -> Bool { (0..<count).allSatisfy { _ in step() } }

    /// The median time of several rounds, in seconds.
    /// - Returns: nil when a round failed.
    private static func median(_ round: () -> Bool) -> Double? {
        let clock = ContinuousClock()
        var times = [Duration]()
        for _ in 0..<rounds {
            let start = clock.now
            guard round() else { return nil }
            times.append(clock.now - start)
        }
        return times.sorted()[rounds / 2] / Duration.seconds(1)
    }

    /// For people: each figure, expressed in signatures, and the goal if the load is the goal's.
    var lines: [String] {
        let isGoals = devices == 200 && events == 10_000
        func line(_ what: String, _ value: String, _ milliseconds: Double, _ goal: String) -> String {
            let signatures = Figure.short(milliseconds * signaturesPerSecond / 1_000)
            return "\(what): \(value), as long as \(signatures) signatures" + (isGoals ? " (goal: \(goal))" : "")
        }
        return [
            "signatures verified in a second, one by one: \(Figure.text(signaturesPerSecond, digits: 0))",
            line("rekey for \(devices) devices, made in", "\(Figure.short(rekeyMs)) ms", rekeyMs, "50 ms"),
            "its event: \(Figure.kilobytes(rekeyBytes))" + (isGoals ? " (goal: 20 kB)" : ""),
            line("opened by one of them in", "\(Figure.short(openMs)) ms", openMs, "1 ms"),
            line("\(events) events in \(runs) runs, verified in", "\(Figure.short(verifyMs)) ms", verifyMs, "100 ms"),
            "handshakes in a second, both sides on one core: \(Figure.text(handshakesPerSecond, digits: 0)), "
                + "each as long as \(Figure.short(signaturesPerSecond / handshakesPerSecond)) signatures",
        ]
    }
}
