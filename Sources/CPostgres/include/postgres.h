// PostgreSQL's client library, loaded at run time: only a server whose database is PostgreSQL uses it (see
// CLateLibrary).
//
// Its types and functions are declared here as far as the program uses them, so that a build needs no package of
// headers.
// Source: libpq.so.5 of PostgreSQL 14 or newer: pipelines are as new as that; what was there before has not changed.

#pragma once

#include <stdbool.h>
#include <stddef.h>
// Wakes the thread that listens; the Glibc module leaves it out.
#include <sys/eventfd.h>

typedef struct pg_conn PGconn;
typedef struct pg_result PGresult;
typedef unsigned int Oid;

/// A ConnStatusType.
static const int postgres_connection_ok = 0;

/// An ExecStatusType.
static const int postgres_command_done = 1;
static const int postgres_rows = 2;
static const int postgres_pipeline_sync = 10;
static const int postgres_pipeline_aborted = 11;

/// The field of an error that holds its SQLSTATE, and the one that holds its first line.
static const int postgres_field_state = 'C';
static const int postgres_field_message = 'M';

/// Types of parameters and columns.
static const Oid postgres_type_bool = 16;
static const Oid postgres_type_bytea = 17;
static const Oid postgres_type_name = 19;
static const Oid postgres_type_int8 = 20;
static const Oid postgres_type_int2 = 21;
static const Oid postgres_type_int4 = 23;
static const Oid postgres_type_text = 25;
static const Oid postgres_type_varchar = 1043;
static const Oid postgres_type_void = 2278;

/// One setting of a connection. `val` is NULL where nothing is set.
typedef struct {
    char *keyword;
    char *envvar;
    char *compiled;
    char *val;
    char *label;
    char *dispchar;
    int dispsize;
} PQconninfoOption;

typedef struct pg_notify {
    char *relname;
    int be_pid;
    char *extra;
    struct pg_notify *next;
} PGnotify;

PQconninfoOption *PQconninfoParse(const char *conninfo, char **error);
void PQconninfoFree(PQconninfoOption *options);
PGconn *PQconnectdbParams(const char *const *keywords, const char *const *values, int expand_dbname);
void PQfinish(PGconn *connection);
int PQstatus(const PGconn *connection);
char *PQerrorMessage(const PGconn *connection);
char *PQhost(const PGconn *connection);
int PQserverVersion(const PGconn *connection);
int PQsslInUse(PGconn *connection);
int PQsocket(const PGconn *connection);
const char *PQparameterStatus(const PGconn *connection, const char *name);
int PQsetnonblocking(PGconn *connection, int is_nonblocking);
int PQenterPipelineMode(PGconn *connection);
int PQpipelineSync(PGconn *connection);
int PQsendPrepare(PGconn *connection, const char *name, const char *query, int count, const Oid *types);
int PQsendQueryParams(PGconn *connection, const char *query, int count, const Oid *types, const char *const *values,
                      const int *lengths, const int *formats, int result_format);
int PQsendQueryPrepared(PGconn *connection, const char *name, int count, const char *const *values, const int *lengths,
                        const int *formats, int result_format);
int PQsendDescribePrepared(PGconn *connection, const char *name);
int PQflush(PGconn *connection);
int PQconsumeInput(PGconn *connection);
int PQisBusy(PGconn *connection);
PGresult *PQgetResult(PGconn *connection);
PGnotify *PQnotifies(PGconn *connection);
void PQclear(PGresult *result);
void PQfreemem(void *memory);
int PQresultStatus(const PGresult *result);
char *PQresultErrorField(const PGresult *result, int field);
char *PQcmdTuples(PGresult *result);
int PQntuples(const PGresult *result);
int PQnfields(const PGresult *result);
int PQnparams(const PGresult *result);
Oid PQparamtype(const PGresult *result, int number);
Oid PQftype(const PGresult *result, int column);
int PQgetisnull(const PGresult *result, int row, int column);
char *PQgetvalue(const PGresult *result, int row, int column);
int PQgetlength(const PGresult *result, int row, int column);

/// Loads the library of this file name and finds every function that the program uses. No other function here may be
/// called before this has returned true. Any thread may call it, more than once.
bool postgres_library_load(const char *name);
