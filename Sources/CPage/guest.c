#include "CGuest.h"
#include "embedded.h"

static const uint8_t guest_index_html[] = {
#embed "guest/index.html"
};
static const uint8_t guest_guest_css[] = {
#embed "guest/guest.css"
};
static const uint8_t guest_vendor_nacl_fast_js[] = {
#embed "guest/vendor/nacl-fast.js"
};
static const uint8_t guest_about_js[] = {
#embed "guest/about.js"
};
static const uint8_t guest_address_js[] = {
#embed "guest/address.js"
};
static const uint8_t guest_app_js[] = {
#embed "guest/app.js"
};
static const uint8_t guest_bubble_js[] = {
#embed "guest/bubble.js"
};
static const uint8_t guest_bytes_js[] = {
#embed "guest/bytes.js"
};
static const uint8_t guest_channel_js[] = {
#embed "guest/channel.js"
};
static const uint8_t guest_chat_js[] = {
#embed "guest/chat.js"
};
static const uint8_t guest_composer_js[] = {
#embed "guest/composer.js"
};
// A link to the member's, as moments.js is: one rule for both pages.
static const uint8_t guest_displayed_js[] = {
#embed "guest/displayed.js"
};
static const uint8_t guest_dom_js[] = {
#embed "guest/dom.js"
};
static const uint8_t guest_enter_js[] = {
#embed "guest/enter.js"
};
static const uint8_t guest_hmac_js[] = {
#embed "guest/hmac.js"
};
static const uint8_t guest_meeting_js[] = {
#embed "guest/meeting.js"
};
static const uint8_t guest_messages_js[] = {
#embed "guest/messages.js"
};
static const uint8_t guest_moments_js[] = {
#embed "guest/moments.js"
};
static const uint8_t guest_people_js[] = {
#embed "guest/people.js"
};
static const uint8_t guest_picture_js[] = {
#embed "guest/picture.js"
};
static const uint8_t guest_reaching_js[] = {
#embed "guest/reaching.js"
};
static const uint8_t guest_save_js[] = {
#embed "guest/save.js"
};
static const uint8_t guest_sealed_js[] = {
#embed "guest/sealed.js"
};
static const uint8_t guest_seat_js[] = {
#embed "guest/seat.js"
};
static const uint8_t guest_sheets_js[] = {
#embed "guest/sheets.js"
};
static const uint8_t guest_sound_js[] = {
#embed "guest/sound.js"
};
static const uint8_t guest_state_js[] = {
#embed "guest/state.js"
};
static const uint8_t guest_store_js[] = {
#embed "guest/store.js"
};
static const uint8_t guest_strip_js[] = {
#embed "guest/strip.js"
};
static const uint8_t guest_copy_js[] = {
#embed "guest/copy.js"
};
static const uint8_t guest_files_js[] = {
#embed "guest/files.js"
};
// A link to the member's: one piece of code for both pages.
static const uint8_t guest_keyboard_js[] = {
#embed "guest/keyboard.js"
};
static const uint8_t guest_kept_js[] = {
#embed "guest/kept.js"
};
// A link to the member's: one piece of code for both pages.
static const uint8_t guest_links_js[] = {
#embed "guest/links.js"
};
static const uint8_t guest_places_js[] = {
#embed "guest/places.js"
};
static const uint8_t guest_search_js[] = {
#embed "guest/search.js"
};
static const uint8_t guest_shared_js[] = {
#embed "guest/shared.js"
};
// A link to the member's: one piece of code for both pages.
static const uint8_t guest_urgent_js[] = {
#embed "guest/urgent.js"
};
// A link to the member's: one piece of code for both pages.
static const uint8_t guest_ways_js[] = {
#embed "guest/ways.js"
};
static const uint8_t guest_words_js[] = {
#embed "guest/words.js"
};
static const uint8_t guest_words_en_js[] = {
#embed "guest/words/en.js"
};
static const uint8_t guest_words_tr_js[] = {
#embed "guest/words/tr.js"
};
static const uint8_t guest_words_de_js[] = {
#embed "guest/words/de.js"
};
static const uint8_t guest_words_es_js[] = {
#embed "guest/words/es.js"
};
static const uint8_t guest_words_fr_js[] = {
#embed "guest/words/fr.js"
};
static const uint8_t guest_words_ar_js[] = {
#embed "guest/words/ar.js"
};
static const uint8_t guest_words_ja_js[] = {
#embed "guest/words/ja.js"
};
static const uint8_t guest_manifest_webmanifest[] = {
#embed "guest/manifest.webmanifest"
};
static const uint8_t guest_icon_192_png[] = {
#embed "guest/icon-192.png"
};
static const uint8_t guest_icon_512_png[] = {
#embed "guest/icon-512.png"
};
static const uint8_t guest_worker_js[] = {
#embed "guest/worker.js"
};
static const uint8_t guest_later_install_js[] = {
#embed "guest/later/install.js"
};
static const uint8_t guest_later_notices_js[] = {
#embed "guest/later/notices.js"
};
static const uint8_t guest_later_position_js[] = {
#embed "guest/later/position.js"
};
static const uint8_t guest_later_secure_js[] = {
#embed "guest/later/secure.js"
};
static const uint8_t guest_later_words_en_js[] = {
#embed "guest/later/words/en.js"
};
static const uint8_t guest_later_words_tr_js[] = {
#embed "guest/later/words/tr.js"
};
static const uint8_t guest_later_words_de_js[] = {
#embed "guest/later/words/de.js"
};
static const uint8_t guest_later_words_es_js[] = {
#embed "guest/later/words/es.js"
};
static const uint8_t guest_later_words_fr_js[] = {
#embed "guest/later/words/fr.js"
};
static const uint8_t guest_later_words_ar_js[] = {
#embed "guest/later/words/ar.js"
};
static const uint8_t guest_later_words_ja_js[] = {
#embed "guest/later/words/ja.js"
};

static const page_file files[] = {
    FILE_OF("index.html", guest_index_html),
    FILE_OF("guest.css", guest_guest_css),
    FILE_OF("vendor/nacl-fast.js", guest_vendor_nacl_fast_js),
    FILE_OF("about.js", guest_about_js),
    FILE_OF("address.js", guest_address_js),
    FILE_OF("app.js", guest_app_js),
    FILE_OF("bubble.js", guest_bubble_js),
    FILE_OF("bytes.js", guest_bytes_js),
    FILE_OF("channel.js", guest_channel_js),
    FILE_OF("chat.js", guest_chat_js),
    FILE_OF("composer.js", guest_composer_js),
    FILE_OF("displayed.js", guest_displayed_js),
    FILE_OF("dom.js", guest_dom_js),
    FILE_OF("enter.js", guest_enter_js),
    FILE_OF("hmac.js", guest_hmac_js),
    FILE_OF("meeting.js", guest_meeting_js),
    FILE_OF("messages.js", guest_messages_js),
    FILE_OF("moments.js", guest_moments_js),
    FILE_OF("people.js", guest_people_js),
    FILE_OF("picture.js", guest_picture_js),
    FILE_OF("reaching.js", guest_reaching_js),
    FILE_OF("save.js", guest_save_js),
    FILE_OF("sealed.js", guest_sealed_js),
    FILE_OF("seat.js", guest_seat_js),
    FILE_OF("sheets.js", guest_sheets_js),
    FILE_OF("sound.js", guest_sound_js),
    FILE_OF("state.js", guest_state_js),
    FILE_OF("store.js", guest_store_js),
    FILE_OF("strip.js", guest_strip_js),
    FILE_OF("copy.js", guest_copy_js),
    FILE_OF("files.js", guest_files_js),
    FILE_OF("keyboard.js", guest_keyboard_js),
    FILE_OF("kept.js", guest_kept_js),
    FILE_OF("links.js", guest_links_js),
    FILE_OF("places.js", guest_places_js),
    FILE_OF("search.js", guest_search_js),
    FILE_OF("shared.js", guest_shared_js),
    FILE_OF("urgent.js", guest_urgent_js),
    FILE_OF("ways.js", guest_ways_js),
    FILE_OF("words.js", guest_words_js),
    FILE_OF("words/en.js", guest_words_en_js),
    FILE_OF("words/tr.js", guest_words_tr_js),
    FILE_OF("words/de.js", guest_words_de_js),
    FILE_OF("words/es.js", guest_words_es_js),
    FILE_OF("words/fr.js", guest_words_fr_js),
    FILE_OF("words/ar.js", guest_words_ar_js),
    FILE_OF("words/ja.js", guest_words_ja_js),
    FILE_OF("manifest.webmanifest", guest_manifest_webmanifest),
    FILE_OF("icon-192.png", guest_icon_192_png),
    FILE_OF("icon-512.png", guest_icon_512_png),
    FILE_OF("worker.js", guest_worker_js),
    FILE_OF("later/install.js", guest_later_install_js),
    FILE_OF("later/notices.js", guest_later_notices_js),
    FILE_OF("later/position.js", guest_later_position_js),
    FILE_OF("later/secure.js", guest_later_secure_js),
    FILE_OF("later/words/en.js", guest_later_words_en_js),
    FILE_OF("later/words/tr.js", guest_later_words_tr_js),
    FILE_OF("later/words/de.js", guest_later_words_de_js),
    FILE_OF("later/words/es.js", guest_later_words_es_js),
    FILE_OF("later/words/fr.js", guest_later_words_fr_js),
    FILE_OF("later/words/ar.js", guest_later_words_ar_js),
    FILE_OF("later/words/ja.js", guest_later_words_ja_js),
};

READERS_OF_FILES(guest)
