/** The SQLite file: one writer that groups commits, concurrent readers, and the rows of tables, indexes and streams. */
package dev.agenthealth.dynamodb.sqlite;
