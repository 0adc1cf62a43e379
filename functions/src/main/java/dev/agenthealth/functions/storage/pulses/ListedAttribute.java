package dev.agenthealth.functions.storage.pulses;

import static dev.agenthealth.functions.storage.dynamo.Values.s;
import static dev.agenthealth.functions.storage.dynamo.Values.text;

import dev.agenthealth.model.registry.profile.AgentKind;
import dev.agenthealth.model.registry.profile.ListedProfile;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/** The part of the profile that a row repeats in one text, so that a list reads only rows. */
final class ListedAttribute {

    /** Maximum size of the text in bytes, together with a schedule and a declaration of loops: the largest row stays below one write unit. A longer text is not stored. */
    static final int MAX_BYTES = 232;

    private static final String SEPARATOR = "\u001f";
    private static final int BEFORE_CAPABILITIES = 3;

    /** The text encodes the sum of these flags as the number of empty parts at its end, because no capability is empty. Most agents have no flag. */
    private static final int IN_CATALOGUE = 1;

    private static final int MCP_SERVER = 2;

    private ListedAttribute() {}

    /** Puts the attribute, unless the text does not fit. */
    static void put(Map<String, AttributeValue> item, ListedProfile profile) {
        int marks =
                (profile.inCatalogue() ? IN_CATALOGUE : 0) + (profile.kind() == AgentKind.MCP_SERVER ? MCP_SERVER : 0);
        List<String> parts = new ArrayList<>(List.of(profile.roleId(), profile.name(), profile.providerId()));
        parts.addAll(profile.capabilities());
        boolean separable = String.join("", parts).indexOf(SEPARATOR) < 0;
        parts.addAll(Collections.nCopies(marks, ""));
        String text = String.join(SEPARATOR, parts);
        if (text.getBytes(StandardCharsets.UTF_8).length
                        <= MAX_BYTES
                                - text(item, PulseItem.LIFE_SIGNS).length()
                                - (item.containsKey(PulseItem.LOOP_CONFIG) ? LoopAttributes.MAX_BYTES : 0)
                && separable) {
            item.put(PulseItem.LISTED, s(text));
        }
    }

    static Optional<ListedProfile> read(Map<String, AttributeValue> item) {
        String text = text(item, PulseItem.LISTED);
        if (text.isEmpty()) {
            return Optional.empty();
        }
        String[] parts = text.split(SEPARATOR, -1);
        int end = parts.length;
        while (end > BEFORE_CAPABILITIES && parts[end - 1].isEmpty()) {
            end--;
        }
        int marks = parts.length - end;
        return Optional.of(new ListedProfile(
                parts[0],
                parts[1],
                parts[2],
                Arrays.asList(parts).subList(BEFORE_CAPABILITIES, end),
                (marks & MCP_SERVER) == 0 ? AgentKind.AGENT : AgentKind.MCP_SERVER,
                (marks & IN_CATALOGUE) != 0));
    }
}
