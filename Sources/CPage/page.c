#include "embedded.h"

static const uint8_t index_html[] = {
#embed "page/index.html"
};
static const uint8_t style_css[] = {
#embed "page/style.css"
};
static const uint8_t tour_css[] = {
#embed "page/tour.css"
};
static const uint8_t handbook_html[] = {
#embed "page/handbook.html"
};
static const uint8_t handbook_css[] = {
#embed "page/handbook.css"
};
static const uint8_t notebook_css[] = {
#embed "page/notebook.css"
};
static const uint8_t icon_svg[] = {
#embed "page/icon.svg"
};
static const uint8_t start_js[] = {
#embed "page/start.js"
};
static const uint8_t app_js[] = {
#embed "page/app.js"
};
static const uint8_t api_js[] = {
#embed "page/api.js"
};
static const uint8_t state_js[] = {
#embed "page/state.js"
};
static const uint8_t words_js[] = {
#embed "page/words.js"
};
static const uint8_t dom_js[] = {
#embed "page/dom.js"
};
static const uint8_t dialogs_js[] = {
#embed "page/dialogs.js"
};
static const uint8_t chat_chat_js[] = {
#embed "page/chat/chat.js"
};
static const uint8_t chat_displayed_js[] = {
#embed "page/chat/displayed.js"
};
static const uint8_t chat_list_js[] = {
#embed "page/chat/list.js"
};
static const uint8_t chat_message_js[] = {
#embed "page/chat/message.js"
};
static const uint8_t chat_composer_js[] = {
#embed "page/chat/composer.js"
};
static const uint8_t chat_receipts_js[] = {
#embed "page/chat/receipts.js"
};
static const uint8_t chat_search_js[] = {
#embed "page/chat/search.js"
};
static const uint8_t people_js[] = {
#embed "page/people.js"
};
static const uint8_t radar_js[] = {
#embed "page/radar.js"
};
static const uint8_t board_js[] = {
#embed "page/board.js"
};
static const uint8_t guide_js[] = {
#embed "page/guide.js"
};
static const uint8_t status_js[] = {
#embed "page/status.js"
};
static const uint8_t join_js[] = {
#embed "page/join.js"
};
static const uint8_t scan_js[] = {
#embed "page/scan.js"
};
static const uint8_t qr_js[] = {
#embed "page/qr.js"
};
static const uint8_t files_js[] = {
#embed "page/files.js"
};
static const uint8_t upload_js[] = {
#embed "page/upload.js"
};
static const uint8_t notebook_notebook_js[] = {
#embed "page/notebook/notebook.js"
};
static const uint8_t notebook_itinerary_js[] = {
#embed "page/notebook/itinerary.js"
};
static const uint8_t notebook_places_js[] = {
#embed "page/notebook/places.js"
};
static const uint8_t notebook_notes_js[] = {
#embed "page/notebook/notes.js"
};
static const uint8_t notebook_plot_js[] = {
#embed "page/notebook/plot.js"
};
static const uint8_t words_en_js[] = {
#embed "page/words/en.js"
};
static const uint8_t words_tr_js[] = {
#embed "page/words/tr.js"
};
static const uint8_t words_de_js[] = {
#embed "page/words/de.js"
};
static const uint8_t words_es_js[] = {
#embed "page/words/es.js"
};
static const uint8_t words_fr_js[] = {
#embed "page/words/fr.js"
};
static const uint8_t words_ar_js[] = {
#embed "page/words/ar.js"
};
static const uint8_t words_ja_js[] = {
#embed "page/words/ja.js"
};
static const uint8_t words_en_tour_js[] = {
#embed "page/words/en-tour.js"
};
static const uint8_t words_tr_tour_js[] = {
#embed "page/words/tr-tour.js"
};
static const uint8_t words_de_tour_js[] = {
#embed "page/words/de-tour.js"
};
static const uint8_t words_es_tour_js[] = {
#embed "page/words/es-tour.js"
};
static const uint8_t words_fr_tour_js[] = {
#embed "page/words/fr-tour.js"
};
static const uint8_t words_ar_tour_js[] = {
#embed "page/words/ar-tour.js"
};
static const uint8_t words_ja_tour_js[] = {
#embed "page/words/ja-tour.js"
};
static const uint8_t words_en_notebook_js[] = {
#embed "page/words/en-notebook.js"
};
static const uint8_t words_tr_notebook_js[] = {
#embed "page/words/tr-notebook.js"
};
static const uint8_t words_de_notebook_js[] = {
#embed "page/words/de-notebook.js"
};
static const uint8_t words_es_notebook_js[] = {
#embed "page/words/es-notebook.js"
};
static const uint8_t words_fr_notebook_js[] = {
#embed "page/words/fr-notebook.js"
};
static const uint8_t words_ar_notebook_js[] = {
#embed "page/words/ar-notebook.js"
};
static const uint8_t words_ja_notebook_js[] = {
#embed "page/words/ja-notebook.js"
};
static const uint8_t parts_js[] = {
#embed "page/parts.js"
};
static const uint8_t meeting_js[] = {
#embed "page/meeting.js"
};
static const uint8_t reaching_js[] = {
#embed "page/reaching.js"
};
static const uint8_t links_js[] = {
#embed "page/links.js"
};
static const uint8_t ways_js[] = {
#embed "page/ways.js"
};
static const uint8_t urgent_js[] = {
#embed "page/urgent.js"
};
static const uint8_t keyboard_js[] = {
#embed "page/keyboard.js"
};
static const uint8_t replacing_js[] = {
#embed "page/replacing.js"
};
static const uint8_t moments_js[] = {
#embed "page/moments.js"
};
static const uint8_t roll_js[] = {
#embed "page/roll.js"
};
static const uint8_t lost_js[] = {
#embed "page/lost.js"
};

static const uint8_t mute_js[] = {
#embed "page/mute.js"
};

static const uint8_t quiet_js[] = {
#embed "page/quiet.js"
};
static const uint8_t calls_js[] = {
#embed "page/calls.js"
};
static const uint8_t buddies_js[] = {
#embed "page/buddies.js"
};
static const uint8_t chat_reach_js[] = {
#embed "page/chat/reach.js"
};
static const uint8_t strip_js[] = {
#embed "page/strip.js"
};
static const uint8_t today_js[] = {
#embed "page/today.js"
};
static const uint8_t plan_js[] = {
#embed "page/plan.js"
};
static const uint8_t here_js[] = {
#embed "page/here.js"
};
static const uint8_t asks_js[] = {
#embed "page/asks.js"
};
static const uint8_t invite_js[] = {
#embed "page/invite.js"
};
static const uint8_t phones_js[] = {
#embed "page/phones.js"
};
static const uint8_t hotspot_js[] = {
#embed "page/hotspot.js"
};
static const uint8_t export_js[] = {
#embed "page/export.js"
};
static const uint8_t look_js[] = {
#embed "page/look.js"
};
static const uint8_t notebook_items_js[] = {
#embed "page/notebook/items.js"
};
static const uint8_t notebook_shared_js[] = {
#embed "page/notebook/shared.js"
};

static const page_file files[] = {
    FILE_OF("index.html", index_html),
    FILE_OF("style.css", style_css),
    FILE_OF("tour.css", tour_css),
    FILE_OF("notebook.css", notebook_css),
    FILE_OF("handbook.html", handbook_html),
    FILE_OF("handbook.css", handbook_css),
    FILE_OF("icon.svg", icon_svg),
    FILE_OF("start.js", start_js),
    FILE_OF("app.js", app_js),
    FILE_OF("api.js", api_js),
    FILE_OF("state.js", state_js),
    FILE_OF("words.js", words_js),
    FILE_OF("dom.js", dom_js),
    FILE_OF("dialogs.js", dialogs_js),
    FILE_OF("chat/chat.js", chat_chat_js),
    FILE_OF("chat/displayed.js", chat_displayed_js),
    FILE_OF("chat/list.js", chat_list_js),
    FILE_OF("chat/message.js", chat_message_js),
    FILE_OF("chat/composer.js", chat_composer_js),
    FILE_OF("chat/receipts.js", chat_receipts_js),
    FILE_OF("chat/reach.js", chat_reach_js),
    FILE_OF("chat/search.js", chat_search_js),
    FILE_OF("people.js", people_js),
    FILE_OF("radar.js", radar_js),
    FILE_OF("board.js", board_js),
    FILE_OF("guide.js", guide_js),
    FILE_OF("status.js", status_js),
    FILE_OF("join.js", join_js),
    FILE_OF("scan.js", scan_js),
    FILE_OF("qr.js", qr_js),
    FILE_OF("files.js", files_js),
    FILE_OF("upload.js", upload_js),
    FILE_OF("notebook/notebook.js", notebook_notebook_js),
    FILE_OF("notebook/itinerary.js", notebook_itinerary_js),
    FILE_OF("notebook/places.js", notebook_places_js),
    FILE_OF("notebook/notes.js", notebook_notes_js),
    FILE_OF("notebook/plot.js", notebook_plot_js),
    FILE_OF("parts.js", parts_js),
    FILE_OF("meeting.js", meeting_js),
    FILE_OF("moments.js", moments_js),
    FILE_OF("reaching.js", reaching_js),
    FILE_OF("replacing.js", replacing_js),
    FILE_OF("keyboard.js", keyboard_js),
    FILE_OF("urgent.js", urgent_js),
    FILE_OF("ways.js", ways_js),
    FILE_OF("links.js", links_js),
    FILE_OF("roll.js", roll_js),
    FILE_OF("lost.js", lost_js),
    FILE_OF("mute.js", mute_js),
    FILE_OF("quiet.js", quiet_js),
    FILE_OF("calls.js", calls_js),
    FILE_OF("buddies.js", buddies_js),
    FILE_OF("strip.js", strip_js),
    FILE_OF("today.js", today_js),
    FILE_OF("plan.js", plan_js),
    FILE_OF("here.js", here_js),
    FILE_OF("asks.js", asks_js),
    FILE_OF("invite.js", invite_js),
    FILE_OF("phones.js", phones_js),
    FILE_OF("hotspot.js", hotspot_js),
    FILE_OF("export.js", export_js),
    FILE_OF("look.js", look_js),
    FILE_OF("notebook/items.js", notebook_items_js),
    FILE_OF("notebook/shared.js", notebook_shared_js),
    FILE_OF("words/en.js", words_en_js),
    FILE_OF("words/tr.js", words_tr_js),
    FILE_OF("words/de.js", words_de_js),
    FILE_OF("words/es.js", words_es_js),
    FILE_OF("words/fr.js", words_fr_js),
    FILE_OF("words/ar.js", words_ar_js),
    FILE_OF("words/ja.js", words_ja_js),
    FILE_OF("words/en-tour.js", words_en_tour_js),
    FILE_OF("words/tr-tour.js", words_tr_tour_js),
    FILE_OF("words/de-tour.js", words_de_tour_js),
    FILE_OF("words/es-tour.js", words_es_tour_js),
    FILE_OF("words/fr-tour.js", words_fr_tour_js),
    FILE_OF("words/ar-tour.js", words_ar_tour_js),
    FILE_OF("words/ja-tour.js", words_ja_tour_js),
    FILE_OF("words/en-notebook.js", words_en_notebook_js),
    FILE_OF("words/tr-notebook.js", words_tr_notebook_js),
    FILE_OF("words/de-notebook.js", words_de_notebook_js),
    FILE_OF("words/es-notebook.js", words_es_notebook_js),
    FILE_OF("words/fr-notebook.js", words_fr_notebook_js),
    FILE_OF("words/ar-notebook.js", words_ar_notebook_js),
    FILE_OF("words/ja-notebook.js", words_ja_notebook_js),
};

READERS_OF_FILES(page)
