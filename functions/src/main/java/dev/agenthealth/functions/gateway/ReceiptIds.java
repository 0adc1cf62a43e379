package dev.agenthealth.functions.gateway;

import com.github.f4b6a3.ulid.UlidCreator;

/** Makes the ids of receipts, which nobody can guess. */
final class ReceiptIds {

    private ReceiptIds() {}

    static String next() {
        return "rcpt_" + UlidCreator.getUlid();
    }
}
