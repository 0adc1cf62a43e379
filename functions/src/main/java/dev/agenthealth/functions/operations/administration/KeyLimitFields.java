package dev.agenthealth.functions.operations.administration;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.agenthealth.functions.runtime.http.Fields;
import dev.agenthealth.model.Timestamps;
import dev.agenthealth.model.WireNamed;
import dev.agenthealth.model.address.AddressBlock;
import dev.agenthealth.model.identity.KeyAction;
import dev.agenthealth.model.identity.KeyLimits;
import java.time.Instant;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

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
        List<Optional<AddressBlock>> blocks = body.texts(ALLOWED_ADDRESSES, MAX_BLOCKS, MAX_BLOCK_LENGTH).stream()
                .distinct()
                .map(AddressBlock::of)
                .toList();
        if (blocks.contains(Optional.<AddressBlock>empty())) {
            body.refuse(ALLOWED_ADDRESSES, AddressBlock.RULE);
        }
        return blocks.stream().flatMap(Optional::stream).toList();
    }

    private static Set<KeyAction> actions(Fields body) {
        Set<KeyAction> actions = new LinkedHashSet<>();
        for (String word : body.texts(ACTIONS, KeyAction.GRANTED.size(), MAX_ACTION)) {
            WireNamed.find(KeyAction.class, word)
                    .filter(KeyAction.GRANTED::contains)
                    .ifPresentOrElse(
                            actions::add,
                            () -> body.refuse(
                                    ACTIONS,
                                    "must be one or more of "
                                            + KeyAction.GRANTED.stream()
                                                    .map(WireNamed::wireName)
                                                    .collect(Collectors.joining(", "))));
        }
        return actions;
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
