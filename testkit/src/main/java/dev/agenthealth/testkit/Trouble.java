package dev.agenthealth.testkit;

import java.util.EnumMap;
import java.util.Map;

/** A trouble that DynamoDB causes at any time and an embedded database does not cause. */
public enum Trouble {
    /** A write or a transaction is refused because of another transaction on the same item. */
    CONFLICT,
    /** A request is throttled. */
    THROTTLING,
    /** A request and its successors are throttled, for longer than a request is retried. */
    OUTAGE,
    /** A request is lost on its way: it is not applied, and no response arrives. */
    LOST_REQUEST,
    /** A request is applied, and its response is lost. */
    LOST_RESPONSE,
    /** An eventually consistent read returns items as they were up to a second ago. */
    STALE_READ,
    /** A page of a query or a scan ends early and possibly empty, with a key to continue from. */
    SHORT_PAGE,
    /** A batch leaves keys or writes unprocessed. */
    UNPROCESSED;

    /** Returns the same rate for every trouble. */
    public static Map<Trouble, Double> all(double rate) {
        Map<Trouble, Double> rates = new EnumMap<>(Trouble.class);
        for (Trouble trouble : values()) {
            rates.put(trouble, rate);
        }
        return rates;
    }
}
