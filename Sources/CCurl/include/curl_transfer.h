// HTTP by libcurl, loaded when a server is first asked (see CLateLibrary). `curl_easy_setopt` and `curl_easy_getinfo` take
// anything; here they have a function for each kind of value, since Swift calls no variadic function.

#pragma once

#define CURL_DISABLE_TYPECHECK 1

#include <curl/curl.h>
#include <stdbool.h>

/// Loads libcurl; see `late_library_load`.
bool curl_library_load(const char *file);

/// curl_global_init(CURL_GLOBAL_DEFAULT): once in a process, before any other function.
CURLcode curl_transfer_prepare(void);

CURLcode curl_transfer_set_long(CURL *handle, CURLoption option, long value);
/// Copied, except for CURLOPT_POSTFIELDS, which must live as long as the transfer.
CURLcode curl_transfer_set_text(CURL *handle, CURLoption option, const char *value);
/// Bytes of a body, file sizes.
CURLcode curl_transfer_set_size(CURL *handle, CURLoption option, curl_off_t value);
CURLcode curl_transfer_set_headers(CURL *handle, struct curl_slist *list);
/// What the three functions below get as their last argument, and `curl_transfer_owner` gives back.
CURLcode curl_transfer_set_owner(CURL *handle, void *owner);
/// Gets one line of a head, or a part of a body; returns the bytes that it took: fewer end the transfer.
typedef size_t (*curl_transfer_sink)(char *bytes, size_t size, size_t count, void *owner);
CURLcode curl_transfer_set_sinks(CURL *handle, curl_transfer_sink head, curl_transfer_sink body);
/// Writes up to size * count bytes of the request's body; returns how many, 0 at its end.
CURLcode curl_transfer_set_source(CURL *handle, curl_transfer_sink source);

/// 0 while there is no answer.
long curl_transfer_status(CURL *handle);
void *curl_transfer_owner(CURL *handle);

/// Takes a transfer that has ended out of the list, if there is one: its handle, and how it ended.
CURL *curl_transfer_ended(CURLM *multi, CURLcode *result);
