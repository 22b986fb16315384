import Testing
import TourModel
import TourRuntime

/// Goal: a group at the door comes in at once, and a flood of devices by one code does not.
/// Method: newcomers by the second, of one address and of many.
struct AdmissionRateTests {
    private static let code = SigningKey([UInt8](repeating: 1, count: 32))!
    private static let other = SigningKey([UInt8](repeating: 2, count: 32))!

    private static func at(_ seconds: Int64) -> Instant { Instant(microseconds: seconds * 1_000_000) }

    /// - Returns: how many of those come in who ask every second.
    private static func letIn(seconds: Int64, by code: SigningKey = code, from address: (Int64) -> String) -> Int {
        var rate = AdmissionRate()
        var count = 0
        for second in 0..<seconds where rate.acquire(for: code, from: address(second), now: at(second)) { count += 1 }
        return count
    }

    @Test func twoHundredInTenMinutesWaitForNothing() {
        var rate = AdmissionRate()
        for newcomer in 0..<200 {
            let isIn = rate.acquire(for: Self.code, from: "192.0.2.\(newcomer)", now: Self.at(Int64(newcomer) * 3))
            #expect(isIn)
        }
    }

    @Test func oneAddressIsSlow() {
        let atOnce = Int(AdmissionRate.ofAddressAtOnceMax)
        #expect(Self.letIn(seconds: 60) { _ in "192.0.2.1" } <= atOnce + Int(AdmissionRate.ofAddressPerMinuteMax))
    }

    @Test func oneCodeIsSlowFromAnyAddresses() {
        let atOnce = Int(AdmissionRate.ofInviteAtOnceMax)
        let most = atOnce + 10 * Int(AdmissionRate.ofInvitePerMinuteMax)
        #expect(Self.letIn(seconds: 600) { "10.0.\($0 / 250).\($0 % 250)" } <= most)
    }

    /// One code's flood leaves room for another's people.
    @Test func anotherCodeIsNotShutOut() {
        var rate = AdmissionRate()
        for second in 0..<600 {
            _ = rate.acquire(for: Self.code, from: "10.1.\(second / 250).\(second % 250)", now: Self.at(Int64(second)))
        }
        let isIn = rate.acquire(for: Self.other, from: "192.0.2.9", now: Self.at(601))
        #expect(isIn)
    }
}
