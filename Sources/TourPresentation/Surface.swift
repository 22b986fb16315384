import TourWords

/// Where words reach a person. Each surface names what its user can do there in its own way: a terminal by a command,
/// the page by what is written on its buttons.
package protocol Surface: Sendable {
    /// How this surface names an action, as a part of a sentence, with the marks around it that set it off.
    func name(of action: UserAction) -> Phrase
}

/// Names actions as the code does, in English: for what is worded outside any request, and for programs without a
/// surface of their own.
package struct PlainSurface: Surface {
    package init() {}

    package func name(of action: UserAction) -> Phrase { Phrase(verbatim: "'\(action)'") }
}
