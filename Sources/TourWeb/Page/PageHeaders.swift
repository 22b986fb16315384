import HTTPTypes
import Hummingbird

/// Headers of every answer of the page's door: the browser loads nothing from other sites, runs nothing that does not
/// come from here, lets no other page frame or read it, and stores none of it.
struct PageHeaders<Context: RequestContext>: RouterMiddleware {
    private let fields = HTTPFields.ofPage

    func handle(
        _ request: Request, context: Context, next: (Request, Context) async throws -> Response
    ) async throws -> Response {
        var response = try await next(request, context)
        for field in fields where field.name != .cacheControl || response.headers[.cacheControl] == nil {
            response.headers[field.name] = field.value
        }
        return response
    }
}

extension HTTPFields {
    static let ofPage: Self = [
        .contentSecurityPolicy: policy, .xContentTypeOptions: "nosniff", .crossOriginResourcePolicy: "same-origin",
        .crossOriginOpenerPolicy: "same-origin", .referrerPolicy: "no-referrer",
        .permissionsPolicy: "camera=(self), geolocation=(self)", .cacheControl: "no-store",
    ]

    /// `index.html` contains a style and a script for its start: the policy allows these by their hashes alone.
    private static var policy: String {
        """
        default-src 'none'; script-src 'self' 'sha256-+IlxSBIRR5xBa2uMJ+j0MDG1mtdPAzsNV+6vYFqN0xc='; \
        style-src 'self' 'sha256-KGhSkCrkUuVvQA6ZfJDzkP20fR6ahaRPJCzhbUMxqVE='; img-src 'self' blob:; media-src blob:; \
        connect-src 'self'; form-action 'none'; frame-ancestors 'none'; base-uri 'none'
        """
    }
}

extension HTTPField.Name {
    fileprivate static let crossOriginOpenerPolicy = Self("Cross-Origin-Opener-Policy")!
    static let referrerPolicy = Self("Referrer-Policy")!
    fileprivate static let permissionsPolicy = Self("Permissions-Policy")!
}
