/* A group member with libmosquitto: stores each message in SQLite (one transaction each), then counts it.
     mqtt_member NAME STORE BROKER CERTIFICATE
   Reads lines: `send COUNT SIZE RATE` (RATE a second; 0: as fast as the library takes them), `quit`.
   Writes lines: `online TIME`, `sent COUNT TIME`, `got NUMBER DUE STORED`; times are nanoseconds of the wall clock. */
#include <fcntl.h>
#include <inttypes.h>
#include <mosquitto.h>
#include <poll.h>
#include <sqlite3.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#define TOPIC "tour/messages"
#define SIZE_MAX_BYTES 4096

static struct mosquitto *client;
static sqlite3 *database;
static sqlite3_stmt *insert;
static bool sender;
static int send_count, send_left, send_size;
static double send_rate;
static int64_t send_begin;

static int64_t now_ns(void) {
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    return now.tv_sec * 1000000000LL + now.tv_nsec;
}

static void open_store(const char *path) {
    const char *schema = "PRAGMA journal_mode=WAL; PRAGMA synchronous=NORMAL;"
                         "CREATE TABLE IF NOT EXISTS message(number INTEGER PRIMARY KEY, body BLOB NOT NULL)";
    if (sqlite3_open(path, &database) || sqlite3_exec(database, schema, 0, 0, 0) ||
        sqlite3_prepare_v2(database, "INSERT OR IGNORE INTO message VALUES(?,?)", -1, &insert, 0)) {
        fprintf(stderr, "store: %s\n", sqlite3_errmsg(database));
        exit(1);
    }
}

static void on_online(void) { printf("online %" PRId64 "\n", now_ns()); }

static void on_connect(struct mosquitto *m, void *data, int code) {
    (void)data;
    if (code) fprintf(stderr, "connect: %s\n", mosquitto_connack_string(code));
    else if (sender) on_online();
    else mosquitto_subscribe(m, 0, TOPIC, 1);
}

static void on_subscribe(struct mosquitto *m, void *data, int id, int count, const int *granted) {
    (void)m, (void)data, (void)id, (void)count, (void)granted;
    on_online();
}

static void on_message(struct mosquitto *m, void *data, const struct mosquitto_message *message) {
    (void)m, (void)data;
    int number;
    int64_t due;
    char head[64] = {0};
    memcpy(head, message->payload, message->payloadlen < 63 ? message->payloadlen : 63);
    if (sscanf(head, "%d %" SCNd64, &number, &due) != 2) return;
    sqlite3_bind_int(insert, 1, number);
    sqlite3_bind_blob(insert, 2, message->payload, message->payloadlen, SQLITE_STATIC);
    int result = sqlite3_step(insert);
    sqlite3_reset(insert);
    if (result == SQLITE_DONE && sqlite3_changes(database))
        printf("got %d %" PRId64 " %" PRId64 "\n", number, due, now_ns());
}

/* When the next message is due; now, if there is no rate. */
static int64_t next_due(void) {
    return send_rate > 0 ? send_begin + (int64_t)((send_count - send_left) * 1e9 / send_rate) : now_ns();
}

static void send_due(void) {
    int64_t due;
    while (send_left && (due = next_due()) <= now_ns()) {
        char body[SIZE_MAX_BYTES];
        int length = snprintf(body, sizeof body, "%010d %019" PRId64 " ", send_count - send_left, due);
        while (length < send_size) body[length++] = 'a' + random() % 26;
        mosquitto_publish(client, 0, TOPIC, length, body, 1, false);
        if (--send_left == 0) printf("sent %d %" PRId64 "\n", send_count, now_ns());
    }
}

/* Handles the command lines that have arrived; false at `quit` or the end of input. */
static bool read_commands(void) {
    static char line[256];
    static size_t length;
    ssize_t got = read(0, line + length, sizeof line - 1 - length);
    if (got <= 0) return false;
    length += got;
    line[length] = 0;
    for (char *end; (end = strchr(line, '\n'));) {
        *end = 0;
        if (!strcmp(line, "quit")) return false;
        if (sscanf(line, "send %d %d %lf", &send_count, &send_size, &send_rate) == 3 && send_size < SIZE_MAX_BYTES) {
            send_left = send_count;
            send_begin = now_ns();
        }
        length -= end + 1 - line;
        memmove(line, end + 1, length + 1);
    }
    return true;
}

int main(int argc, char **argv) {
    if (argc != 5) return 2;
    sender = !strcmp(argv[1], "guide");
    open_store(argv[2]);
    mosquitto_lib_init();
    client = mosquitto_new(argv[1], false, 0);
    mosquitto_tls_set(client, argv[4], 0, 0, 0, 0);
    mosquitto_int_option(client, MOSQ_OPT_SEND_MAXIMUM, 1000);
    mosquitto_int_option(client, MOSQ_OPT_RECEIVE_MAXIMUM, 1000);
    mosquitto_int_option(client, MOSQ_OPT_TCP_NODELAY, 1);
    mosquitto_connect_callback_set(client, on_connect);
    mosquitto_subscribe_callback_set(client, on_subscribe);
    mosquitto_message_callback_set(client, on_message);
    while (mosquitto_connect(client, argv[3], 8883, 30) != MOSQ_ERR_SUCCESS) usleep(20000);
    /* Lines carry their own times: printing them late and many at once costs the measured path least. */
    setvbuf(stdout, 0, _IOFBF, 1 << 20);
    int64_t flushed = now_ns();
    while (true) {
        int timeout = 20;
        if (send_left) {
            int64_t wait = (next_due() - now_ns()) / 1000000;
            timeout = wait < 0 ? 0 : wait < timeout ? (int)wait : timeout;
        }
        struct pollfd set[2] = {{0, POLLIN, 0}, {mosquitto_socket(client), POLLIN, 0}};
        if (mosquitto_want_write(client)) set[1].events |= POLLOUT;
        if (poll(set, 2, timeout) == 0 || now_ns() - flushed > 20000000) {
            fflush(stdout);
            flushed = now_ns();
        }
        if (set[0].revents && !read_commands()) break;
        send_due();
        if (mosquitto_loop_read(client, 100) != MOSQ_ERR_SUCCESS) {
            usleep(20000);
            mosquitto_reconnect(client);
        }
        mosquitto_loop_write(client, 100);
        mosquitto_loop_misc(client);
    }
    mosquitto_disconnect(client);
    sqlite3_close(database);
    return 0;
}
