package dev.agenthealth.dynamodb.sqlite;

import dev.agenthealth.dynamodb.table.Table;

/**
 * The SQL of the statements that write, find and visit items of a table. A session keeps the texts, because building them costs as much as
 * finding the prepared statement. Columns have short names, because the driver decodes the names for each result.
 *
 * @param findSome without the placeholders of the keys and the closing bracket
 */
record TableSql(String find, String findSome, Visit visit, String put, String delete, Large large, String addExpiry) {

    /** The SQL that visits the items in a range of keys. */
    record Visit(String ascending, String descending) {

        String of(boolean ascends) {
            return ascends ? ascending : descending;
        }
    }

    /** The SQL that writes large items. */
    record Large(String put, String add, String remove) {}

    static TableSql of(Table table) {
        String items = Rows.items(table);
        String large = LargeItems.large(table);
        String select = "SELECT " + LargeItems.item(table) + " AS v FROM " + items + " i WHERE ";
        String range = select + "k >= ? AND k < ? ORDER BY k";
        return new TableSql(
                select + "k = ?",
                "SELECT k, " + LargeItems.item(table) + " AS v FROM " + items + " i WHERE k IN (",
                new Visit(range, range + " DESC"),
                "INSERT OR REPLACE INTO " + items + " (k, item) VALUES (?, ?)",
                "DELETE FROM " + items + " WHERE k = ?",
                new Large(
                        "INSERT OR REPLACE INTO " + items + " (k, item) VALUES (?, last_insert_rowid())",
                        "INSERT INTO " + large + " (item) VALUES (?)",
                        "DELETE FROM " + large + " WHERE id = (SELECT item FROM " + items
                                + " WHERE k = ? AND typeof(item) = 'integer')"),
                "INSERT OR IGNORE INTO " + Rows.expiry(table) + " (at, k) VALUES (?, ?)");
    }
}
