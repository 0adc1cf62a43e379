package dev.agenthealth.functions.storage.pulses;

import static dev.agenthealth.functions.storage.dynamo.Values.s;
import static dev.agenthealth.functions.storage.dynamo.Values.text;

import dev.agenthealth.model.profile.ListedProfile;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/**
 * The part of the profile that a row repeats, in one text, so that a list reads nothing but rows.
 */
final class ListedAttribute {

    /** Maximum size of the text in bytes, together with a schedule: the largest row stays below one write unit. A longer one is not repeated. */
    static final int MAX_BYTES = 320;

    private static final String SEPARATOR = "\u001f";
    private static final int BEFORE_CAPABILITIES = 3;

    private ListedAttribute() {}

    /** Puts the attribute, unless the text does not fit. */
    static void put(Map<String, AttributeValue> item, ListedProfile profile) {
        List<String> parts = Stream.concat(
                        Stream.of(profile.roleId(), profile.name(), profile.providerId()),
                        Stream.concat(
                                profile.capabilities().stream(),
                                profile.inCatalogue() ? Stream.of("") : Stream.empty()))
                .toList();
        String text = String.join(SEPARATOR, parts);
        if (text.getBytes(StandardCharsets.UTF_8).length
                        <= MAX_BYTES - text(item, PulseItem.LIFE_SIGNS).length()
                && parts.stream().noneMatch(part -> part.contains(SEPARATOR))) {
            item.put(PulseItem.LISTED, s(text));
        }
    }

    static Optional<ListedProfile> read(Map<String, AttributeValue> item) {
        String text = text(item, PulseItem.LISTED);
        if (text.isEmpty()) {
            return Optional.empty();
        }
        String[] parts = text.split(SEPARATOR, -1);
        // No capability is empty: an empty part at the end says that the agent is in the catalogue.
        boolean inCatalogue = parts.length > BEFORE_CAPABILITIES && parts[parts.length - 1].isEmpty();
        int end = inCatalogue ? parts.length - 1 : parts.length;
        return Optional.of(new ListedProfile(
                parts[0], parts[1], parts[2], Arrays.asList(parts).subList(BEFORE_CAPABILITIES, end), inCatalogue));
    }
}
