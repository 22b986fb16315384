// Text layout and a PDF writer, loaded when the program first prints (see CLateLibrary). Their types and functions are
// declared here as their own headers declare them, as far as the program uses them, so that a build needs no package of
// headers.
// Source: Pango 1.44 and Cairo 1.16, stable since.

#pragma once

#include <stdbool.h>

// Pango lays out text. Lengths are in 1024ths of a point.

#define PANGO_SCALE 1024

typedef struct _PangoContext PangoContext;
typedef struct _PangoFontMap PangoFontMap;
typedef struct _PangoFontDescription PangoFontDescription;
typedef struct _PangoLanguage PangoLanguage;
typedef struct _PangoLayout PangoLayout;
typedef struct _PangoLayoutIter PangoLayoutIter;
typedef struct _PangoAttrList PangoAttrList;

typedef struct _PangoRectangle {
    int x;
    int y;
    int width;
    int height;
} PangoRectangle;

/// The first members of the struct; the program only ever has a pointer to one that Pango allocated.
typedef struct _PangoAttribute {
    const void *klass;
    unsigned int start_index;
    unsigned int end_index;
} PangoAttribute;

/// The first members of the struct; the program only ever has a pointer to one that Pango allocated.
typedef struct _PangoLayoutLine {
    PangoLayout *layout;
    int start_index;
    int length;
} PangoLayoutLine;

typedef enum { PANGO_ALIGN_LEFT, PANGO_ALIGN_CENTER, PANGO_ALIGN_RIGHT } PangoAlignment;
typedef enum { PANGO_WRAP_WORD, PANGO_WRAP_CHAR, PANGO_WRAP_WORD_CHAR } PangoWrapMode;
typedef enum { PANGO_UNDERLINE_NONE, PANGO_UNDERLINE_SINGLE } PangoUnderline;
/// The directions that Pango reports for paragraphs.
typedef enum { PANGO_DIRECTION_LTR = 0, PANGO_DIRECTION_RTL = 1, PANGO_DIRECTION_NEUTRAL = 6 } PangoDirection;

PangoContext *pango_font_map_create_context(PangoFontMap *map);
void pango_context_set_language(PangoContext *context, PangoLanguage *language);
void pango_context_set_base_dir(PangoContext *context, PangoDirection direction);
void pango_context_set_round_glyph_positions(PangoContext *context, int round);
PangoLanguage *pango_language_from_string(const char *language);
PangoDirection pango_find_base_dir(const char *text, int length);
PangoFontDescription *pango_font_description_from_string(const char *description);
void pango_font_description_free(PangoFontDescription *description);
PangoAttrList *pango_attr_list_new(void);
void pango_attr_list_insert(PangoAttrList *list, PangoAttribute *attribute);
void pango_attr_list_unref(PangoAttrList *list);
PangoAttribute *pango_attr_underline_new(PangoUnderline underline);
PangoAttribute *pango_attr_insert_hyphens_new(int insert);
PangoAttribute *pango_attr_foreground_new(unsigned short red, unsigned short green, unsigned short blue);
PangoLayout *pango_layout_new(PangoContext *context);
void pango_layout_set_text(PangoLayout *layout, const char *text, int length);
void pango_layout_set_font_description(PangoLayout *layout, const PangoFontDescription *description);
void pango_layout_set_attributes(PangoLayout *layout, PangoAttrList *list);
void pango_layout_set_width(PangoLayout *layout, int width);
void pango_layout_set_wrap(PangoLayout *layout, PangoWrapMode wrap);
void pango_layout_set_auto_dir(PangoLayout *layout, int automatic);
void pango_layout_set_alignment(PangoLayout *layout, PangoAlignment alignment);
int pango_layout_get_unknown_glyphs_count(PangoLayout *layout);
PangoLayoutIter *pango_layout_get_iter(PangoLayout *layout);
void pango_layout_iter_free(PangoLayoutIter *iter);
PangoLayoutLine *pango_layout_iter_get_line_readonly(PangoLayoutIter *iter);
int pango_layout_iter_next_line(PangoLayoutIter *iter);
int pango_layout_iter_get_baseline(PangoLayoutIter *iter);
void pango_layout_iter_get_line_extents(PangoLayoutIter *iter, PangoRectangle *ink, PangoRectangle *logical);
void pango_layout_line_get_x_ranges(PangoLayoutLine *line, int start, int end, int **ranges, int *count);

/// Loads libpango; see `late_library_load`. Printing needs all four libraries.
bool pango_library_load(const char *file);

// Cairo draws pages. Lengths are in points.

typedef struct _cairo cairo_t;
typedef struct _cairo_surface cairo_surface_t;

/// 0 means success.
typedef unsigned int cairo_status_t;

#define CAIRO_STATUS_SUCCESS 0u
#define CAIRO_STATUS_WRITE_ERROR 11u

typedef cairo_status_t (*cairo_write_func_t)(void *closure, const unsigned char *data, unsigned int length);
typedef enum { CAIRO_PDF_METADATA_TITLE = 0, CAIRO_PDF_METADATA_CREATOR = 4 } cairo_pdf_metadata_t;

#define CAIRO_TAG_LINK "Link"

cairo_surface_t *cairo_pdf_surface_create_for_stream(
    cairo_write_func_t write, void *closure, double width, double height);
void cairo_pdf_surface_set_metadata(cairo_surface_t *surface, cairo_pdf_metadata_t metadata, const char *utf8);
void cairo_surface_finish(cairo_surface_t *surface);
void cairo_surface_destroy(cairo_surface_t *surface);
cairo_status_t cairo_surface_status(cairo_surface_t *surface);
cairo_t *cairo_create(cairo_surface_t *surface);
void cairo_destroy(cairo_t *cairo);
cairo_status_t cairo_status(cairo_t *cairo);
const char *cairo_status_to_string(cairo_status_t status);
void cairo_show_page(cairo_t *cairo);
void cairo_move_to(cairo_t *cairo, double x, double y);
void cairo_rectangle(cairo_t *cairo, double x, double y, double width, double height);
void cairo_fill(cairo_t *cairo);
void cairo_set_source_rgb(cairo_t *cairo, double red, double green, double blue);
void cairo_tag_begin(cairo_t *cairo, const char *name, const char *attributes);
void cairo_tag_end(cairo_t *cairo, const char *name);

/// Loads libcairo; see `late_library_load`.
bool cairo_library_load(const char *file);

// PangoCairo draws Pango's text on Cairo's pages.

PangoFontMap *pango_cairo_font_map_new(void);
void pango_cairo_update_context(cairo_t *cairo, PangoContext *context);
void pango_cairo_context_set_resolution(PangoContext *context, double resolution);
void pango_cairo_show_layout_line(cairo_t *cairo, PangoLayoutLine *line);

/// Loads libpangocairo; see `late_library_load`.
bool pangocairo_library_load(const char *file);

// GObject, and GLib below it, free what Pango allocated.

void g_object_unref(void *object);
void g_free(void *memory);

/// Loads libgobject, which loads GLib; see `late_library_load`.
bool gobject_library_load(const char *file);
