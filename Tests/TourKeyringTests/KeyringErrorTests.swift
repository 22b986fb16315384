import Testing
import TourKeyring
import TourModel

/// Goal: whoever cannot open the keyring learns what to do.
@Suite struct KeyringErrorTests {
    @Test func errorsSayWhatToDo() {
        let errors: [KeyringError] = [.unavailable, .noLibrary, .missing, .locked, .failed("org.example.No")]
        #expect(Set(errors.map(\.description)).count == errors.count)
        #expect(Set(errors.map(\.code)).count == errors.count)
        #expect(errors.allSatisfy { $0.scope == .node })
    }
}
