package dev.agenthealth.functions.registry.ping;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.agenthealth.functions.registry.ping.PingAddress.LastPing;
import dev.agenthealth.functions.registry.ping.PingAddress.Token;
import dev.agenthealth.functions.runtime.json.Json;
import dev.agenthealth.model.Timestamps;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;

/** Renders a ping address without its secret. */
final class PingAddressJson {

    static final String TOKENS = "tokens";

    private PingAddressJson() {}

    /** @param inForce the tokens of the address that are in force */
    static ObjectNode of(String agentId, PingAddress address, List<Token> inForce) {
        ObjectNode json = Json.object();
        json.put("agent_id", agentId);
        ArrayNode tokens = json.putArray(TOKENS);
        for (Token token : inForce) {
            String keyId = token.issuer().keyId();
            tokens.addObject()
                    .put("key_id", keyId)
                    .put("issued_at", Timestamps.text(token.issuedAt()))
                    .put("registers_again", keyId.equals(address.ownerKeyId()));
        }
        putMoment(
                json,
                "issued_at",
                inForce.stream()
                        .map(Token::issuedAt)
                        .max(Comparator.naturalOrder())
                        .orElse(Instant.EPOCH));
        putMoment(json, "started_at", address.startedAt());
        LastPing last = address.last();
        putMoment(json, "last_ping_at", last.at());
        if (last.at().isAfter(Instant.EPOCH)) {
            json.put("last_signal", last.signal().isEmpty() ? "done" : last.signal());
        } else {
            json.putNull("last_signal");
        }
        putMillis(json, last.millis());
        json.put("last_message", last.message().isEmpty() ? null : last.message());
        json.put("message_truncated", last.cut());
        return json;
    }

    static void putMillis(ObjectNode json, long millis) {
        json.put("duration_ms", millis == LastPing.NO_DURATION ? null : (Long) millis);
    }

    private static void putMoment(ObjectNode json, String field, Instant moment) {
        json.put(field, moment.isAfter(Instant.EPOCH) ? Timestamps.text(moment) : null);
    }
}
