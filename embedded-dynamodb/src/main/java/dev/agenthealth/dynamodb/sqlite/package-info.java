/** The file: connections to SQLite, one writer that groups commits, readers beside it, and the rows of tables, indexes and streams. */
package dev.agenthealth.dynamodb.sqlite;
