import ArgumentParser
import TourAPI
import TourJSON
import TourWords

/// `doctor`
struct DoctorCommand: NodeCommand {
    static let configuration = CommandConfiguration(
        commandName: "doctor",
        abstract: Phrase("Check what a node needs, and say what to do about what is missing.").text,
        discussion: Phrase(
            """
            Exit status 1 when a check failed; warnings do not count.

            EXAMPLES
              tour-chat doctor
            """
        ).text)

    @OptionGroup var global: GlobalOptions

    func perform(_ client: LocalClient, _ output: Output) async throws {
        let checks = try await client.call(.GET, LocalPath.make(["doctor"]))["checks"]?.list ?? []
        if output.json {
            try checks.forEach(output.object)
        } else {
            try show(checks, output)
        }
        if checks.contains(where: { $0.shown("state") == "failed" }) { throw ExitCode.failure }
    }

    private func show(_ checks: [JSON], _ output: Output) throws {
        var table = Table()
        for check in checks {
            let cell: Table.Cell =
                switch check.shown("state") {
                case "ok": .init(Phrase("ok"), .green)
                case "warning": .init(Phrase("warning"), .yellow)
                default: .init(Phrase("failed"), .red)
                }
            table.add([cell, .init(check.shown("name"), .bold), .init(check.shown("message"))])
            let advice = check.shown("advice")
            if !advice.isEmpty { table.add(["", "", .init("-> " + advice)]) }
        }
        try output.table(table)
    }
}
