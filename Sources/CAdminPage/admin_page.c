#include "CAdminPage.h"

// Swift cannot embed files in a program yet; #embed is an extension before C23.
#pragma clang diagnostic ignored "-Wc23-extensions"

static const uint8_t index_html[] = {
#embed "page/index.html"
};
static const uint8_t admin_css[] = {
#embed "page/admin.css"
};
static const uint8_t admin_js[] = {
#embed "page/admin.js"
};

static const admin_page_file files[] = {
    {"/", "text/html; charset=utf-8", index_html, sizeof index_html},
    {"/admin.css", "text/css; charset=utf-8", admin_css, sizeof admin_css},
    {"/admin.js", "text/javascript; charset=utf-8", admin_js, sizeof admin_js},
};

size_t admin_page_count(void) { return sizeof files / sizeof files[0]; }

admin_page_file admin_page_at(size_t index) { return files[index]; }
