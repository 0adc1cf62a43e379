package dev.agenthealth.dynamodb;

import dev.agenthealth.dynamodb.table.Table;
import java.util.Arrays;

/** Identifies an item within one request. */
record ItemKey(Table table, byte[] key) {

    @Override
    public boolean equals(Object other) {
        return other instanceof ItemKey that && table.id() == that.table.id() && Arrays.equals(key, that.key);
    }

    @Override
    public int hashCode() {
        return Arrays.hashCode(key);
    }
}
