import HTTPTypes
import Hummingbird

/// What every answer of the page's door says to the browser: nothing of another site is loaded, nothing is run that
/// does not come from here, nobody frames or reads it, and nothing of it is kept.
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

    /// `index.html` brings its own start with it: a style and a script that are run by these hashes alone.
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
    fileprivate static let referrerPolicy = Self("Referrer-Policy")!
    fileprivate static let permissionsPolicy = Self("Permissions-Policy")!
}
