package dev.agenthealth.functions.storage.dynamo;

import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/** The attributes that items of every kind in the registry table may have. */
public final class Attributes {

    /** The schema number that this code writes. Items of the previous schema remain readable. */
    public static final int SCHEMA = 1;

    public static final String PK = "pk";
    public static final String SK = "sk";
    public static final String SCHEMA_NUMBER = "v";

    /** The epoch second after which DynamoDB may remove the item, and readers treat it as removed. */
    public static final String EXPIRES = "ttl";

    /** The index of events by time of writing, of leases in force by expiry, and of tombstones by status. */
    public static final String FEED_INDEX = "feed";

    public static final String FEED_PK = "fp";
    public static final String FEED_SK = "fs";

    /** The index of agents whose health is to be computed; it holds keys only. */
    public static final String DUE_INDEX = "due";

    public static final String DUE_PK = "dp";
    public static final String DUE_SK = "ds";

    private Attributes() {}

    /** Returns a new item with this key and the current schema number, to be filled. */
    public static Map<String, AttributeValue> item(Map<String, AttributeValue> key) {
        Map<String, AttributeValue> item = new HashMap<>(key);
        item.put(SCHEMA_NUMBER, Values.n(SCHEMA));
        return item;
    }

    /** Returns a new item that expires, to be filled. */
    public static Map<String, AttributeValue> item(Map<String, AttributeValue> key, Instant expiry) {
        Map<String, AttributeValue> item = item(key);
        item.put(EXPIRES, Values.seconds(expiry));
        return item;
    }

    public static Map<String, AttributeValue> key(String partition, String sortKey) {
        return key(Values.s(partition), Values.s(sortKey));
    }

    static Map<String, AttributeValue> key(AttributeValue partition, AttributeValue sortKey) {
        return Map.of(PK, partition, SK, sortKey);
    }

    public static Map<String, AttributeValue> keyOf(Map<String, AttributeValue> item) {
        return Map.of(PK, item.get(PK), SK, item.get(SK));
    }

    /** Returns a number as a text with leading zeros, so that texts sort by number. */
    public static String padded(long number, int digits) {
        String text = Long.toString(number);
        int sign = number < 0 ? 1 : 0;
        return text.length() >= digits
                ? text
                : text.substring(0, sign) + "0".repeat(digits - text.length()) + text.substring(sign);
    }

    /** Returns whether an item has expired, although DynamoDB may not have removed it yet. */
    public static boolean isExpired(Map<String, AttributeValue> item, Instant now) {
        return Values.number(item, EXPIRES, Long.MAX_VALUE) <= now.getEpochSecond();
    }
}
