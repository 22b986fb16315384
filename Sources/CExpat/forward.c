// The functions of libexpat that the program uses; each calls the loaded library's.

#include "expat_parser.h"

#include <late_library.h>

// Arguments of the macro: result, name, parameters, arguments.
#define EACH(F)                                                                                                        \
    F(XML_Parser, XML_ParserCreateNS, (const XML_Char *encoding, XML_Char separator), (encoding, separator))           \
    F(void, XML_ParserFree, (XML_Parser parser), (parser))                                                             \
    F(void, XML_SetUserData, (XML_Parser parser, void *data), (parser, data))                                          \
    F(void, XML_SetElementHandler,                                                                                     \
      (XML_Parser parser, XML_StartElementHandler start, XML_EndElementHandler end), (parser, start, end))             \
    F(void, XML_SetCharacterDataHandler, (XML_Parser parser, XML_CharacterDataHandler handler), (parser, handler))     \
    F(void, XML_SetEntityDeclHandler, (XML_Parser parser, XML_EntityDeclHandler handler), (parser, handler))           \
    F(enum XML_Status, XML_Parse, (XML_Parser parser, const char *bytes, int count, int is_final),                     \
      (parser, bytes, count, is_final))                                                                                \
    F(enum XML_Status, XML_StopParser, (XML_Parser parser, XML_Bool resumable), (parser, resumable))                   \
    F(XML_Size, XML_GetCurrentLineNumber, (XML_Parser parser), (parser))                                               \
    F(enum XML_Error, XML_GetErrorCode, (XML_Parser parser), (parser))

LATE_LIBRARY(EACH, expat_library_load)

unsigned long expat_line_number(XML_Parser parser) { return loaded_XML_GetCurrentLineNumber(parser); }
