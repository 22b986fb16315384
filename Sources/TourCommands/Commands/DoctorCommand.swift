import ArgumentParser
import TourWeb

/// `doctor`
struct DoctorCommand: NodeCommand {
    static let configuration = CommandConfiguration(
        commandName: "doctor",
        abstract: "Check what a node needs, and say what to do about what is missing.",
        discussion: """
            Exit status 1 when a check failed; warnings do not count.

            EXAMPLES
              tour-chat doctor
            """)

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
                case "ok": .init("ok", .green)
                case "warning": .init("warning", .yellow)
                default: .init("failed", .red)
                }
            table.add([cell, .init(check.shown("name"), .bold), .init(check.shown("message"))])
            let advice = check.shown("advice")
            if !advice.isEmpty { table.add(["", "", .init("-> " + advice)]) }
        }
        try output.table(table)
    }
}
