import Testing
import TourClient

/// Goal: nothing is opened by itself that can do more than be looked at or heard.
/// Method: tables of names with media types, and of first bytes.
@Suite struct OpenableFileTests {
    @Test(arguments: [
        ("photo.jpg", "image/jpeg", OpenableFile.picture), ("PHOTO.JPEG", "IMAGE/JPEG", .picture),
        ("a.b.png", "image/png", .picture), ("a.heic", "image/heif", .picture), ("song.mp3", "audio/mpeg", .recording),
        ("song.ogg", "application/ogg", .recording), ("talk.m4a", "video/mp4", .recording),
        ("film.mkv", "video/x-matroska", .recording), ("notes.txt", "text/plain", .text),
        ("tickets.pdf", "application/pdf", .document),
    ])
    func whatIsOpened(name: String, media: String, kind: OpenableFile) {
        #expect(OpenableFile(name: name, media: media) == kind)
    }

    @Test(arguments: [
        // The name is what desktops go by, whatever its author says that it is.
        ("photo.desktop", "image/jpeg"), ("photo.sh", "image/jpeg"), ("photo.jpg.sh", "image/jpeg"),
        ("page.html", "text/plain"), ("page.htm", "text/plain"), ("drawing.svg", "image/svg+xml"),
        ("drawing.svgz", "image/svg+xml"), ("a.py", "text/plain"), ("a.xml", "text/plain"), ("a.csv", "text/plain"),
        ("a.docm", "application/pdf"), ("a.exe", "application/pdf"), ("a.appimage", "image/png"),
        ("a.jar", "application/zip"), ("a.deb", "application/pdf"), ("list.m3u", "audio/x-mpegurl"),
        ("list.pls", "audio/x-scpls"), ("a.ps", "application/pdf"), ("a.eps", "image/x-eps"), ("a.url", "text/plain"),
        ("a.xcf", "image/x-xcf"), ("a.djvu", "image/vnd.djvu"),
        // They disagree.
        ("photo.jpg", "application/x-executable"), ("photo.jpg", "text/html"), ("photo.jpg", "text/plain"),
        ("photo.jpg", "application/pdf"), ("notes.txt", "text/html"), ("notes.txt", "text/x-shellscript"),
        ("tickets.pdf", "application/x-desktop"), ("song.mp3", "image/jpeg"), ("film.mp4", "application/octet-stream"),
        ("photo.jpg", ""), ("photo.jpg", "image"),
        // Names without an end.
        ("photo", "image/jpeg"), (".jpg", "image/jpeg"), ("photo.", "image/jpeg"), ("", "image/jpeg"),
        ("photo.jpg ", "image/jpeg"), ("photo.ｊｐｇ", "image/jpeg"),
    ])
    func whatIsNot(name: String, media: String) {
        #expect(OpenableFile(name: name, media: media) == nil)
    }

    @Test func whatBeginsAsItself() {
        let jpeg: [UInt8] = [0xFF, 0xD8, 0xFF, 0xE0]
        let webp: [UInt8] = Array("RIFF".utf8) + [0x24, 0x10, 0, 0] + Array("WEBPVP8 ".utf8)
        #expect(OpenableFile.picture.agrees(with: jpeg) && OpenableFile.picture.agrees(with: webp))
        #expect(OpenableFile.recording.agrees(with: Array("ID3".utf8) + [4, 0]))
        #expect(OpenableFile.document.agrees(with: Array("%PDF-1.7\n".utf8)))
        #expect(OpenableFile.text.agrees(with: Array("Grüße\r\n".utf8)) && OpenableFile.text.agrees(with: []))
    }

    @Test(arguments: [
        "[Desktop Entry]\nExec=", "#!/bin/sh\n", "<!DOCTYPE html><html>", "<svg xmlns=", "%!PS-Adobe", "",
        "#EXTM3U\r\n\thttp://x",
    ])
    func whatBeginsAsText(start: String) {
        for kind in [OpenableFile.picture, .recording, .document] {
            #expect(!kind.agrees(with: Array(start.utf8)), "\(kind)")
        }
    }

    @Test(arguments: ["#!/bin/sh\n", "[Desktop Entry]\n", "a\0b"])
    func textsThatAreMore(start: String) {
        #expect(!OpenableFile.text.agrees(with: Array(start.utf8)))
    }
}
