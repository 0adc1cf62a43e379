package dev.agenthealth.functions.operations.administration;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.agenthealth.functions.runtime.http.Fields;
import dev.agenthealth.model.Timestamps;
import dev.agenthealth.model.address.AddressBlock;
import dev.agenthealth.model.identity.KeyAction;
import dev.agenthealth.model.identity.KeyLimits;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** The limits of a key in requests and answers. */
final class KeyLimitFields {

    private static final String EXPIRES_AT = "expires_at";
    private static final String ALLOWED_ADDRESSES = "allowed_addresses";
    private static final String ACTIONS = "actions";

    private static final int MAX_BLOCKS = 16;
    private static final int MAX_BLOCK_LENGTH = 49;
    private static final int MAX_ACTION = 64;

    /** The last moment that can be stored. */
    private static final Instant LATEST = Instant.parse("2199-12-31T23:59:59Z");

    private KeyLimitFields() {}

    /**
     * Returns the limits after a request, for a key with the limits {@code current}. A missing field stays, and null or an empty list clears a
     * field.
     */
    static KeyLimits of(Fields body, KeyLimits current, Instant now) {
        return new KeyLimits(
                body.mentions(EXPIRES_AT) ? expiresAt(body, current, now) : current.expiresAt(),
                body.mentions(ALLOWED_ADDRESSES) ? addresses(body) : current.addresses(),
                body.mentions(ACTIONS) ? actions(body) : current.actions());
    }

    /**
     * Returns the end of the key in the request. A moment in the past is accepted if it is the present value, as clients send back what they read.
     */
    private static Optional<Instant> expiresAt(Fields body, KeyLimits current, Instant now) {
        Optional<Instant> end = body.timestamp(EXPIRES_AT).map(moment -> Instant.ofEpochMilli(moment.toEpochMilli()));
        if (end.filter(moment -> !moment.isAfter(now) || moment.isAfter(LATEST)).isPresent()
                && !end.equals(current.expiresAt())) {
            body.refuse(EXPIRES_AT, "must be in the future, and before the year 2200");
        }
        return end;
    }

    private static List<AddressBlock> addresses(Fields body) {
        return body
                .words(
                        ALLOWED_ADDRESSES,
                        MAX_BLOCKS,
                        MAX_BLOCK_LENGTH,
                        text -> AddressBlock.of(text).isPresent() ? Optional.empty() : Optional.of(AddressBlock.RULE))
                .stream()
                .map(AddressBlock::of)
                .flatMap(Optional::stream)
                .toList();
    }

    private static Set<KeyAction> actions(Fields body) {
        return body.anyOf(ACTIONS, KeyAction.class, KeyAction.GRANTED);
    }

    /** Puts the limits of a key into an answer: null and empty lists without limits. */
    static void put(ObjectNode json, KeyLimits limits) {
        json.put(EXPIRES_AT, limits.expiresAt().map(Timestamps::text).orElse(null));
        ArrayNode addresses = json.putArray(ALLOWED_ADDRESSES);
        limits.addresses().forEach(block -> addresses.add(block.text()));
        ArrayNode actions = json.putArray(ACTIONS);
        limits.actions().stream().sorted().forEach(action -> actions.add(action.wireName()));
    }
}
