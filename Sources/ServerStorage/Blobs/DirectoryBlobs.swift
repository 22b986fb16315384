import Foundation
import ServerBase

/// Bytes in files of a directory, which several processes may share.
package struct DirectoryBlobs: BlobStorage {
    let directory: ServerDirectory

    package init(directory: ServerDirectory) { self.directory = directory }

    /// A file that is put is renamed.
    package var movesFiles: Bool { true }

    /// See `BlobStorage.put`.
    package func put(_ file: BlobFile, at place: String) async throws(Failure) {
        let folders = try folders(of: place)
        let path = directory.file(place)
        try await BlobFile.onDisk { () throws(Failure) in
            try file.move(to: path)
            // The folders may be as new as the file, so they are flushed too.
            for folder in folders { try folder.sync() }
        }
    }

    /// See `BlobStorage.put`.
    package func put(_ bytes: [UInt8], at place: String) async throws(Failure) {
        let folders = try folders(of: place)
        let path = directory.file(place)
        try await BlobFile.onDisk { () throws(Failure) in
            guard let file = try BlobFile.growing(path, isNew: true) else {
                throw Failure(.unavailable, cause: "the folder of a tour's blobs is gone")
            }
            try file.empty()
            try file.write(bytes, at: 0)
            try file.sync()
            for folder in folders { try folder.sync() }
        }
    }

    /// See `BlobStorage.open`.
    package func open(_ place: String) async throws(Failure) -> (any StoredBytes)? {
        let path = directory.file(place)
        return try await BlobFile.onDisk { () throws(Failure) -> BlobFile? in try BlobFile(reading: path) }
    }

    /// See `BlobStorage.remove`.
    package func remove(_ place: String) async throws(Failure) {
        let directory = directory
        try await BlobFile.onDisk { () throws(Failure) in try directory.remove(place) }
    }

    /// See `BlobStorage.places`.
    package func places(below start: String) async throws(Failure) -> [String] {
        let tree = FileTree(path: directory.path)
        return try await BlobFile.onDisk { () throws(Failure) in
            try tree.places().filter { $0.hasPrefix(start) }
        }
    }

    /// The bytes that are free on the disk.
    package func roomLeft() async throws(Failure) -> UInt64? {
        let directory = directory
        return try await BlobFile.onDisk { () throws(Failure) in try directory.freeBytes() }
    }

    /// The folders above a place, the innermost first; those that are missing are made.
    private func folders(of place: String) throws(Failure) -> [ServerDirectory] {
        var folders = [directory]
        for name in place.split(separator: "/").dropLast() {
            folders.append(try folders[folders.count - 1].directory(String(name)))
        }
        return folders.reversed()
    }
}
