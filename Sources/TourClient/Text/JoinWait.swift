import TourWords

/// The words of `join` while nobody admits the user.
package enum JoinWait {
    /// Seconds from the last words, or the start, to the next.
    /// - Parameter waited: seconds since the start.
    package static func pause(after waited: Int) -> Int { waited == 0 ? 10 : 30 }

    /// The words after this many seconds.
    package static func phrase(after: Int) -> Phrase {
        Phrase(
            """
            Nobody of the tour has answered for \(DurationArgument.shown(seconds: after)); still looking. \
            Ctrl-C gives up.
              The guide's node, or another member's, must be running ('tour-chat run'), in the same Wi-Fi as this one.
              'tour-chat doctor', in another terminal, tests this network and says what to do.
              Where nodes cannot find each other: 'tour-chat run --peer HOST:PORT' with a member's address, then join \
            again.
            """)
    }
}
