import Testing
import TourDesktop

/// A link stays one word of the page's address, whatever stands in it.
@Suite struct PageRouteTests {
    @Test func joinRoutes() {
        let route = PageRoute.join("tour-chat://join/AB?a=[::1]:1&a=x#/chat\"<ü")
        #expect(route == "/join/tour-chat%3A%2F%2Fjoin%2FAB%3Fa%3D%5B%3A%3A1%5D%3A1%26a%3Dx%23%2Fchat%22%3C%C3%BC")
    }
}
