import Testing
import TourModel

/// Goal: a program that is strict can tell how each value of a settings file was written.
/// Method: lines as TOML has them, and lists that are none.
struct SettingsTextTests {
    private static func forms(_ text: String) throws -> [SettingsText.Form] {
        try SettingsText(Array(text.utf8)).entries.map(\.form)
    }

    @Test func formsAreTold() throws {
        let text = #"""
            a = "x"
            b = 'y'
            c = 12
            d = true  # yes
            e = ["x # no remark", 'y',]  # a remark
            f = []
            """#
        #expect(
            try Self.forms(text) == [
                .quoted, .quoted, .bare, .bare, .list(["x # no remark", "y"]), .list([]),
            ])
    }

    @Test(arguments: ["a = [", "a = [x]", #"a = ["x" "y"]"#, #"a = ["x"] y"#, #"a = ["x"#, "a = [,]"])
    func whatIsNoListIsAWord(text: String) throws {
        #expect(try Self.forms(text) == [.bare])
    }
}
