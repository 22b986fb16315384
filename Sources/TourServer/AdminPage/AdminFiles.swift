import CAdminPage
import Foundation
import HTTPTypes
import ServerBase
import ServerRequests

/// The files of the operator's page, which are inside the program. The browser loads nothing from elsewhere, and lets
/// no other page frame or read it.
enum AdminFiles {
    private static let headers: HTTPFields = [
        .contentSecurityPolicy: policy, .xContentTypeOptions: "nosniff", .crossOriginResourcePolicy: "same-origin",
        HTTPField.Name("Cross-Origin-Opener-Policy")!: "same-origin", HTTPField.Name("Referrer-Policy")!: "no-referrer",
        .cacheControl: "no-store",
    ]

    private static let policy = """
        default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src data:; \
        form-action 'none'; frame-ancestors 'none'; base-uri 'none'
        """

    static func routes(at door: AdminDoor) -> [Route] {
        (0..<admin_page_count()).map { index in
            let file = admin_page_at(index)
            let bytes = Array(UnsafeBufferPointer(start: file.bytes, count: file.size))
            let type = String(cString: file.type)
            return Route(.get, String(cString: file.path), access: .open) { call throws(Failure) in
                try door.requireOwnName(call.head)
                return Answer(.ok, content: .bytes(bytes, type: type), headers: headers)
            }
        }
    }
}
