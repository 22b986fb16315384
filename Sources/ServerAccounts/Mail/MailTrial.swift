import ServerBase
import ServerRequests
import Synchronization

/// One mail that an operator tries out: how far it comes, what the mail server says at each step, and what to do.
package struct MailTrial: Encodable, Sendable {
    /// The way of a mail, in its order.
    package enum Step: String, Encodable, Sendable {
        case connection, hello, encryption, login, sender, recipient, content
    }

    /// A step that was tried.
    package struct Taken: Encodable, Sendable {
        package let step: Step
        package let done: Bool
        /// The mail server's last words about it, or why it said none.
        package let words: String
    }

    /// In their order; all but the last were done.
    package let steps: [Taken]
    /// Whether the mail server has taken the mail.
    package let sent: Bool
    /// Advice where it has not.
    package let advice: String?

    /// Sends a mail for this trial alone.
    /// - Throws: `unavailable` for settings with which no sender starts.
    package static func run(_ settings: SMTPSettings, to address: String) async throws(Failure) -> MailTrial {
        let sender = try SMTPSender(settings: settings)
        let dialogue = Dialogue(expected: Self.expected(settings))
        var problem: Failure?
        do throws(Failure) {
            try await sender.send(
                Mail(
                    to: address, subject: "Tour Chat: a test",
                    text: "This mail shows that tour-server can send mail.\r\n")
            ) { dialogue.hear($0) }
        } catch {
            problem = error
        }
        return dialogue.trial(problem, settings)
    }

    /// The last line of each answer that takes the mail further.
    private static func expected(_ settings: SMTPSettings) -> [(step: Step, code: String)] {
        [(.connection, "220"), (.hello, "250")]
            + (settings.security == .startTLS ? [(.encryption, "220"), (.encryption, "250")] : [])
            + (settings.user == nil ? [] : [(.login, "235")])
            + [(.sender, "250"), (.recipient, "250"), (.content, "354"), (.content, "250")]
    }

    /// Follows what the mail server says.
    private final class Dialogue: Sendable {
        private let expected: [(step: Step, code: String)]
        private let state = Mutex<(done: Int, words: [Step: String], hasStopped: Bool)>((0, [:], false))

        init(expected: [(step: Step, code: String)]) { self.expected = expected }

        func hear(_ line: String) {
            // A hyphen behind the code: more lines follow.
            guard line.dropFirst(3).first != "-" else { return }
            state.withLock { state in
                guard !state.hasStopped, state.done < expected.count, !line.hasPrefix("334") else { return }
                let next = expected[state.done]
                state.words[next.step] = line
                if line.hasPrefix(next.code) { state.done += 1 } else { state.hasStopped = true }
            }
        }

        func trial(_ problem: Failure?, _ settings: SMTPSettings) -> MailTrial {
            let (done, words, hasStopped) = state.withLock { $0 }
            var steps = [Taken]()
            for (index, (step, _)) in expected.enumerated() {
                let isDone = problem == nil || index < done
                if steps.last?.step == step { steps.removeLast() }
                let said = isDone || hasStopped ? words[step] : problem?.description
                steps.append(Taken(step: step, done: isDone, words: said ?? ""))
                guard isDone else { break }
            }
            let failed = problem == nil ? nil : steps.last
            return MailTrial(
                steps: steps, sent: problem == nil,
                advice: failed.map { MailTrial.advice(at: $0.step, settings, problem?.description ?? "") })
        }
    }

    private static func advice(at step: Step, _ settings: SMTPSettings, _ problem: String) -> String {
        if problem.lowercased().contains("certificate") {
            return """
                The certificate is not that of \(settings.host), or of no authority that this machine knows: name the \
                host in smtp as its certificate does, or set smtp-authorities.
                """
        }
        return switch step {
        case .connection:
            """
            Look at host and port in smtp (smtp:// is port 587, smtps:// port 465), and whether a firewall lets this \
            machine out to them.
            """
        case .hello: "Set smtp-hello to the full name that this machine has on the internet."
        case .encryption: "The mail server offers no STARTTLS: it may want smtps:// in place of smtp://."
        case .login:
            """
            Look at smtp-user and at smtp-password or smtp-token-file. Large providers want a password for apps, or \
            that their admin allows SMTP with a login for this mailbox.
            """
        case .sender: "Set mail-from to an address that the account may send from."
        case .recipient:
            """
            Look at the address. Where the mail server takes no mail for others, it wants a login (smtp-user), or this \
            machine on its list.
            """
        case .content: "Look at what the mail server says; its operator can tell more."
        }
    }
}
