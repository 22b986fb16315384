import CPango

/// The shared libraries, and a font with at least Latin letters.
enum PrintLibraries {
    static let areLoaded = [
        gobject_library_load("libgobject-2.0.so.0"), pango_library_load("libpango-1.0.so.0"),
        cairo_library_load("libcairo.so.2"), pangocairo_library_load("libpangocairo-1.0.so.0"),
    ].allSatisfy { $0 }

    /// Without a font Pango draws boxes.
    static let canPrint = areLoaded && Typecase(language: nil).hasLetters
}
