import CPage

/// A file of the page that guests load: phones without a program of ours. It is part of the program.
package enum GuestFile {
    /// By their paths below the page's folder.
    package static let all = PageFile.table(count: guest_count(), at: { guest_at($0) })
}
