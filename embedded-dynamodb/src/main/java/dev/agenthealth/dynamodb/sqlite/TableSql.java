package dev.agenthealth.dynamodb.sqlite;

import dev.agenthealth.dynamodb.table.Table;

/**
 * The SQL of the statements that write and find single items of a table. A session keeps the texts, because building them costs as much as
 * finding the prepared statement.
 */
record TableSql(
        String find,
        String put,
        String delete,
        String putLarge,
        String addLarge,
        String removeLarge,
        String addExpiry) {

    static TableSql of(Table table) {
        String items = Rows.items(table);
        String large = LargeItems.large(table);
        return new TableSql(
                "SELECT " + LargeItems.item(table) + " FROM " + items + " i WHERE k = ?",
                "INSERT OR REPLACE INTO " + items + " (k, item) VALUES (?, ?)",
                "DELETE FROM " + items + " WHERE k = ?",
                "INSERT OR REPLACE INTO " + items + " (k, item) VALUES (?, last_insert_rowid())",
                "INSERT INTO " + large + " (item) VALUES (?)",
                "DELETE FROM " + large + " WHERE id = (SELECT item FROM " + items
                        + " WHERE k = ? AND typeof(item) = 'integer')",
                "INSERT OR IGNORE INTO " + Rows.expiry(table) + " (at, k) VALUES (?, ?)");
    }
}
