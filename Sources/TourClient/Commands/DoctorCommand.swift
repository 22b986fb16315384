import ArgumentParser
import TourAPI
import TourWords

/// `doctor`
struct DoctorCommand: NodeCommand {
    static let configuration = CommandConfiguration(
        commandName: "doctor",
        abstract: Phrase("Check what a node needs, and say what to do about what is missing."),
        discussion: Phrase(
            """
            Exit status 1 when a check failed; warnings do not count.

            EXAMPLES
              tour-chat doctor
            """))

    @OptionGroup var global: GlobalOptions

    func perform(_ client: LocalClient, _ output: Output) async throws {
        let answer = try await client.call(.GET, LocalPath.make(["doctor"]))
        if let list: CheckList = try output.forPeople(eachOf: answer) { try show(list.checks, output) }
        let checks = try CheckList(answer: answer).checks
        if checks.contains(where: { $0.state == "failed" }) { throw ExitCode.failure }
    }

    private func show(_ checks: [Check], _ output: Output) throws {
        var table = Table()
        for check in checks {
            let cell: Table.Cell =
                switch check.state {
                case "ok": .init(Phrase("ok"), .green)
                case "warning": .init(Phrase("warning"), .yellow)
                default: .init(Phrase("failed"), .red)
                }
            table.add([cell, .init(check.name, .bold), .init(check.message)])
            if !check.advice.isEmpty { table.add(["", "", .init("-> " + check.advice)]) }
        }
        try output.table(table)
    }
}
