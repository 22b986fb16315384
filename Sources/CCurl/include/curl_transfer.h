// HTTP and SMTP by libcurl, loaded at the first use (see CLateLibrary). Swift cannot call the variadic
// `curl_easy_setopt`, `curl_easy_getinfo` and `curl_multi_setopt`, so each kind of value has a function here.

#pragma once

#define CURL_DISABLE_TYPECHECK 1

#include <curl/curl.h>
#include <stdbool.h>

/// Loads libcurl; see `late_library_load`.
bool curl_library_load(const char *file);

/// curl_global_init(CURL_GLOBAL_DEFAULT): called once in a process, before any other function.
CURLcode curl_transfer_prepare(void);

/// CURLUSESSL_ALL, which older headers have in an enumeration and newer ones as a number: TLS, or nothing is sent.
static const long curl_transfer_tls_only = CURLUSESSL_ALL;

CURLcode curl_transfer_set_long(CURL *handle, CURLoption option, long value);
/// libcurl copies the text, except for CURLOPT_POSTFIELDS, whose text must live as long as the transfer.
CURLcode curl_transfer_set_text(CURL *handle, CURLoption option, const char *value);
/// For options that are sizes in bytes, of bodies and files.
CURLcode curl_transfer_set_size(CURL *handle, CURLoption option, curl_off_t value);
/// For options that are lists of texts; the list must live as long as the transfer.
CURLcode curl_transfer_set_list(CURL *handle, CURLoption option, struct curl_slist *list);
/// The pointer that sinks and the source receive as their last argument, and that `curl_transfer_owner` returns.
CURLcode curl_transfer_set_owner(CURL *handle, void *owner);
/// Receives one line of a head, or a part of a body; returns how many bytes it has used: fewer end the transfer.
typedef size_t (*curl_transfer_sink)(char *bytes, size_t size, size_t count, void *owner);
CURLcode curl_transfer_set_sinks(CURL *handle, curl_transfer_sink head, curl_transfer_sink body);
/// The source writes up to size * count bytes of the request's body, and returns how many: 0 at the end.
CURLcode curl_transfer_set_source(CURL *handle, curl_transfer_sink source);

/// At most so many connections are open at once; further transfers wait for one.
CURLMcode curl_transfer_set_connections_max(CURLM *multi, long count);

/// The status of the answer; 0 before it arrives.
long curl_transfer_status(CURL *handle);
void *curl_transfer_owner(CURL *handle);

/// Reads the next transfer that has ended, and stores how it ended in `result`; NULL when none has.
CURL *curl_transfer_ended(CURLM *multi, CURLcode *result);
