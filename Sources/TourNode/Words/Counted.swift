/// A number with its noun: `1 link`, `2 links`. For nouns that take an s.
package func counted(_ number: Int, _ noun: String) -> String { "\(number) \(noun)\(number == 1 ? "" : "s")" }
