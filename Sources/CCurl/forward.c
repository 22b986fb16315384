// The functions of libcurl that the program uses; each calls the loaded library's.

#include "curl_transfer.h"

#include <late_library.h>

// Arguments of the macro: result, name, parameters, arguments.
#define EACH(F)                                                                                                        \
    F(CURLcode, curl_global_init, (long flags), (flags))                                                               \
    F(CURL *, curl_easy_init, (void), ())                                                                              \
    F(void, curl_easy_cleanup, (CURL * handle), (handle))                                                              \
    F(const char *, curl_easy_strerror, (CURLcode result), (result))                                                   \
    F(CURLcode, curl_easy_pause, (CURL * handle, int bits), (handle, bits))                                            \
    F(struct curl_slist *, curl_slist_append, (struct curl_slist * list, const char *text), (list, text))              \
    F(void, curl_slist_free_all, (struct curl_slist * list), (list))                                                   \
    F(CURLM *, curl_multi_init, (void), ())                                                                            \
    F(CURLMcode, curl_multi_cleanup, (CURLM * multi), (multi))                                                         \
    F(CURLMcode, curl_multi_add_handle, (CURLM * multi, CURL * handle), (multi, handle))                               \
    F(CURLMcode, curl_multi_remove_handle, (CURLM * multi, CURL * handle), (multi, handle))                            \
    F(CURLMcode, curl_multi_perform, (CURLM * multi, int *running), (multi, running))                                  \
    F(CURLMsg *, curl_multi_info_read, (CURLM * multi, int *left), (multi, left))                                      \
    F(CURLMcode, curl_multi_poll,                                                                                      \
      (CURLM * multi, struct curl_waitfd extra[], unsigned int count, int milliseconds, int *ready),                   \
      (multi, extra, count, milliseconds, ready))                                                                      \
    F(CURLMcode, curl_multi_wakeup, (CURLM * multi), (multi))

static CURLcode (*loaded_setopt)(CURL *handle, CURLoption option, ...);
static CURLcode (*loaded_getinfo)(CURL *handle, CURLINFO info, ...);
static CURLMcode (*loaded_multi_setopt)(CURLM *multi, CURLMoption option, ...);

static bool load_forwarded(const char *file);
LATE_LIBRARY(EACH, load_forwarded)

bool curl_library_load(const char *file) {
    static const struct late_function variadic[] = {
        {"curl_easy_setopt", (void **)&loaded_setopt},
        {"curl_easy_getinfo", (void **)&loaded_getinfo},
        {"curl_multi_setopt", (void **)&loaded_multi_setopt},
    };
    return late_library_load(file, variadic, sizeof variadic / sizeof *variadic) && load_forwarded(file);
}

CURLcode curl_transfer_prepare(void) { return curl_global_init(CURL_GLOBAL_DEFAULT); }

CURLcode curl_transfer_set_long(CURL *handle, CURLoption option, long value) {
    return loaded_setopt(handle, option, value);
}

CURLcode curl_transfer_set_text(CURL *handle, CURLoption option, const char *value) {
    return loaded_setopt(handle, option, value);
}

CURLcode curl_transfer_set_size(CURL *handle, CURLoption option, curl_off_t value) {
    return loaded_setopt(handle, option, value);
}

CURLcode curl_transfer_set_list(CURL *handle, CURLoption option, struct curl_slist *list) {
    return loaded_setopt(handle, option, list);
}

CURLcode curl_transfer_set_owner(CURL *handle, void *owner) {
    static const CURLoption places[] = {CURLOPT_PRIVATE, CURLOPT_HEADERDATA, CURLOPT_WRITEDATA, CURLOPT_READDATA};
    for (size_t index = 0; index < sizeof places / sizeof *places; index++) {
        CURLcode result = loaded_setopt(handle, places[index], owner);
        if (result != CURLE_OK) return result;
    }
    return CURLE_OK;
}

CURLcode curl_transfer_set_sinks(CURL *handle, curl_transfer_sink head, curl_transfer_sink body) {
    CURLcode result = loaded_setopt(handle, CURLOPT_HEADERFUNCTION, head);
    return result == CURLE_OK ? loaded_setopt(handle, CURLOPT_WRITEFUNCTION, body) : result;
}

CURLcode curl_transfer_set_source(CURL *handle, curl_transfer_sink source) {
    return loaded_setopt(handle, CURLOPT_READFUNCTION, source);
}

CURLMcode curl_transfer_set_connections_max(CURLM *multi, long count) {
    return loaded_multi_setopt(multi, CURLMOPT_MAX_TOTAL_CONNECTIONS, count);
}

long curl_transfer_status(CURL *handle) {
    long status = 0;
    return loaded_getinfo(handle, CURLINFO_RESPONSE_CODE, &status) == CURLE_OK ? status : 0;
}

void *curl_transfer_owner(CURL *handle) {
    char *owner = NULL;
    return loaded_getinfo(handle, CURLINFO_PRIVATE, &owner) == CURLE_OK ? owner : NULL;
}

CURL *curl_transfer_ended(CURLM *multi, CURLcode *result) {
    int left;
    for (CURLMsg *message; (message = curl_multi_info_read(multi, &left)) != NULL;) {
        if (message->msg != CURLMSG_DONE) continue;
        *result = message->data.result;
        return message->easy_handle;
    }
    return NULL;
}
