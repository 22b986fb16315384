// The functions of Pango, Cairo and GObject that the program uses; each calls its loaded library's.

#include "pango_layout.h"

#include <late_library.h>

// Arguments of the macros: result, name, parameters, arguments. Each library is a file of its own, so each has its
// list.

#define EACH_OF_PANGO(F)                                                                                               \
    F(PangoContext *, pango_font_map_create_context, (PangoFontMap *map), (map))                                       \
    F(void, pango_context_set_language, (PangoContext *context, PangoLanguage *language), (context, language))         \
    F(void, pango_context_set_base_dir, (PangoContext *context, PangoDirection direction), (context, direction))       \
    F(void, pango_context_set_round_glyph_positions, (PangoContext *context, int round), (context, round))             \
    F(PangoLanguage *, pango_language_from_string, (const char *language), (language))                                 \
    F(PangoDirection, pango_find_base_dir, (const char *text, int length), (text, length))                             \
    F(PangoFontDescription *, pango_font_description_from_string, (const char *description), (description))            \
    F(void, pango_font_description_free, (PangoFontDescription *description), (description))                           \
    F(PangoAttrList *, pango_attr_list_new, (void), ())                                                                \
    F(void, pango_attr_list_insert, (PangoAttrList *list, PangoAttribute *attribute), (list, attribute))               \
    F(void, pango_attr_list_unref, (PangoAttrList *list), (list))                                                      \
    F(PangoAttribute *, pango_attr_underline_new, (PangoUnderline underline), (underline))                             \
    F(PangoAttribute *, pango_attr_insert_hyphens_new, (int insert), (insert))                                         \
    F(PangoAttribute *, pango_attr_foreground_new,                                                                     \
      (unsigned short red, unsigned short green, unsigned short blue), (red, green, blue))                             \
    F(PangoLayout *, pango_layout_new, (PangoContext *context), (context))                                             \
    F(void, pango_layout_set_text, (PangoLayout *layout, const char *text, int length), (layout, text, length))        \
    F(void, pango_layout_set_font_description,                                                                         \
      (PangoLayout *layout, const PangoFontDescription *description), (layout, description))                           \
    F(void, pango_layout_set_attributes, (PangoLayout *layout, PangoAttrList *list), (layout, list))                   \
    F(void, pango_layout_set_width, (PangoLayout *layout, int width), (layout, width))                                 \
    F(void, pango_layout_set_wrap, (PangoLayout *layout, PangoWrapMode wrap), (layout, wrap))                          \
    F(void, pango_layout_set_auto_dir, (PangoLayout *layout, int automatic), (layout, automatic))                      \
    F(void, pango_layout_set_alignment, (PangoLayout *layout, PangoAlignment alignment), (layout, alignment))          \
    F(int, pango_layout_get_unknown_glyphs_count, (PangoLayout *layout), (layout))                                     \
    F(PangoLayoutIter *, pango_layout_get_iter, (PangoLayout *layout), (layout))                                       \
    F(void, pango_layout_iter_free, (PangoLayoutIter *iter), (iter))                                                   \
    F(PangoLayoutLine *, pango_layout_iter_get_line_readonly, (PangoLayoutIter *iter), (iter))                         \
    F(int, pango_layout_iter_next_line, (PangoLayoutIter *iter), (iter))                                               \
    F(int, pango_layout_iter_get_baseline, (PangoLayoutIter *iter), (iter))                                            \
    F(void, pango_layout_iter_get_line_extents,                                                                        \
      (PangoLayoutIter *iter, PangoRectangle *ink, PangoRectangle *logical), (iter, ink, logical))                     \
    F(void, pango_layout_line_get_x_ranges,                                                                            \
      (PangoLayoutLine *line, int start, int end, int **ranges, int *count), (line, start, end, ranges, count))

LATE_LIBRARY(EACH_OF_PANGO, pango_library_load)

#define EACH_OF_CAIRO(F)                                                                                               \
    F(cairo_surface_t *, cairo_pdf_surface_create_for_stream,                                                          \
      (cairo_write_func_t write, void *closure, double width, double height), (write, closure, width, height))         \
    F(void, cairo_pdf_surface_set_metadata,                                                                            \
      (cairo_surface_t *surface, cairo_pdf_metadata_t metadata, const char *utf8), (surface, metadata, utf8))          \
    F(void, cairo_surface_finish, (cairo_surface_t *surface), (surface))                                               \
    F(void, cairo_surface_destroy, (cairo_surface_t *surface), (surface))                                              \
    F(cairo_status_t, cairo_surface_status, (cairo_surface_t *surface), (surface))                                     \
    F(cairo_t *, cairo_create, (cairo_surface_t *surface), (surface))                                                  \
    F(void, cairo_destroy, (cairo_t *cairo), (cairo))                                                                  \
    F(cairo_status_t, cairo_status, (cairo_t *cairo), (cairo))                                                         \
    F(const char *, cairo_status_to_string, (cairo_status_t status), (status))                                         \
    F(void, cairo_show_page, (cairo_t *cairo), (cairo))                                                                \
    F(void, cairo_move_to, (cairo_t *cairo, double x, double y), (cairo, x, y))                                        \
    F(void, cairo_rectangle,                                                                                           \
      (cairo_t *cairo, double x, double y, double width, double height), (cairo, x, y, width, height))                 \
    F(void, cairo_fill, (cairo_t *cairo), (cairo))                                                                     \
    F(void, cairo_set_source_rgb, (cairo_t *cairo, double red, double green, double blue), (cairo, red, green, blue))  \
    F(void, cairo_tag_begin, (cairo_t *cairo, const char *name, const char *attributes), (cairo, name, attributes))    \
    F(void, cairo_tag_end, (cairo_t *cairo, const char *name), (cairo, name))

LATE_LIBRARY(EACH_OF_CAIRO, cairo_library_load)

#define EACH_OF_PANGOCAIRO(F)                                                                                          \
    F(PangoFontMap *, pango_cairo_font_map_new, (void), ())                                                            \
    F(void, pango_cairo_update_context, (cairo_t *cairo, PangoContext *context), (cairo, context))                     \
    F(void, pango_cairo_context_set_resolution, (PangoContext *context, double resolution), (context, resolution))     \
    F(void, pango_cairo_show_layout_line, (cairo_t *cairo, PangoLayoutLine *line), (cairo, line))

LATE_LIBRARY(EACH_OF_PANGOCAIRO, pangocairo_library_load)

#define EACH_OF_GOBJECT(F)                                                                                             \
    F(void, g_object_unref, (void *object), (object))                                                                  \
    F(void, g_free, (void *memory), (memory))

LATE_LIBRARY(EACH_OF_GOBJECT, gobject_library_load)
