/// A key that the user pressed, or pasted text.
package enum Key: Hashable, Sendable {
    case character(Character)
    case enter, tab, backspace, delete, left, right, home, end, up, down, pageUp, pageDown
    /// A control character by its letter, lower case: Ctrl-A is `control("a")`.
    case control(Character)
    case wordLeft, wordRight
    /// The terminal's window gained focus (true) or lost it.
    case focus(Bool)
    /// Text pasted as a whole.
    case paste(String)
    /// The paste just before was longer than the limit.
    case pasteCut
}
