// The functions of libpq that the program uses; each calls the loaded library's.

#include "postgres.h"

#include <late_library.h>

// Arguments of the macro: result, name, parameters, arguments.
#define EACH(F)                                                                                                        \
    F(PQconninfoOption *, PQconninfoParse, (const char *conninfo, char **error), (conninfo, error))                    \
    F(void, PQconninfoFree, (PQconninfoOption * options), (options))                                                   \
    F(PGconn *, PQconnectdbParams, (const char *const *keywords, const char *const *values, int expand_dbname),        \
      (keywords, values, expand_dbname))                                                                               \
    F(void, PQfinish, (PGconn * connection), (connection))                                                             \
    F(int, PQstatus, (const PGconn *connection), (connection))                                                         \
    F(char *, PQerrorMessage, (const PGconn *connection), (connection))                                                \
    F(char *, PQhost, (const PGconn *connection), (connection))                                                        \
    F(int, PQserverVersion, (const PGconn *connection), (connection))                                                  \
    F(int, PQsslInUse, (PGconn * connection), (connection))                                                            \
    F(int, PQsocket, (const PGconn *connection), (connection))                                                         \
    F(const char *, PQparameterStatus, (const PGconn *connection, const char *name), (connection, name))               \
    F(int, PQsetnonblocking, (PGconn * connection, int is_nonblocking), (connection, is_nonblocking))                  \
    F(int, PQenterPipelineMode, (PGconn * connection), (connection))                                                   \
    F(int, PQpipelineSync, (PGconn * connection), (connection))                                                        \
    F(int, PQsendPrepare,                                                                                              \
      (PGconn * connection, const char *name, const char *query, int count, const Oid *types),                         \
      (connection, name, query, count, types))                                                                         \
    F(int, PQsendQueryParams,                                                                                          \
      (PGconn * connection, const char *query, int count, const Oid *types, const char *const *values,                 \
       const int *lengths, const int *formats, int result_format),                                                     \
      (connection, query, count, types, values, lengths, formats, result_format))                                      \
    F(int, PQsendQueryPrepared,                                                                                        \
      (PGconn * connection, const char *name, int count, const char *const *values, const int *lengths,                \
       const int *formats, int result_format),                                                                         \
      (connection, name, count, values, lengths, formats, result_format))                                              \
    F(int, PQsendDescribePrepared, (PGconn * connection, const char *name), (connection, name))                        \
    F(int, PQflush, (PGconn * connection), (connection))                                                               \
    F(int, PQconsumeInput, (PGconn * connection), (connection))                                                        \
    F(int, PQisBusy, (PGconn * connection), (connection))                                                              \
    F(PGresult *, PQgetResult, (PGconn * connection), (connection))                                                    \
    F(PGnotify *, PQnotifies, (PGconn * connection), (connection))                                                     \
    F(void, PQclear, (PGresult * result), (result))                                                                    \
    F(void, PQfreemem, (void *memory), (memory))                                                                       \
    F(int, PQresultStatus, (const PGresult *result), (result))                                                         \
    F(char *, PQresultErrorField, (const PGresult *result, int field), (result, field))                                \
    F(char *, PQcmdTuples, (PGresult * result), (result))                                                              \
    F(int, PQntuples, (const PGresult *result), (result))                                                              \
    F(int, PQnfields, (const PGresult *result), (result))                                                              \
    F(int, PQnparams, (const PGresult *result), (result))                                                              \
    F(Oid, PQparamtype, (const PGresult *result, int number), (result, number))                                        \
    F(Oid, PQftype, (const PGresult *result, int column), (result, column))                                            \
    F(int, PQgetisnull, (const PGresult *result, int row, int column), (result, row, column))                          \
    F(char *, PQgetvalue, (const PGresult *result, int row, int column), (result, row, column))                        \
    F(int, PQgetlength, (const PGresult *result, int row, int column), (result, row, column))

LATE_LIBRARY(EACH, postgres_library_load)
