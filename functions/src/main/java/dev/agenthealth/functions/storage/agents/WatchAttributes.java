package dev.agenthealth.functions.storage.agents;

import static dev.agenthealth.functions.storage.dynamo.AttributeType.INTEGER;
import static dev.agenthealth.functions.storage.dynamo.AttributeType.TEXT;

import dev.agenthealth.functions.storage.dynamo.Attribute;
import dev.agenthealth.functions.storage.dynamo.AttributeType;
import dev.agenthealth.functions.storage.dynamo.Codec;
import dev.agenthealth.model.registry.profile.Watch;
import dev.agenthealth.model.registry.profile.WatchKind;
import java.util.List;
import java.util.Map;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/** The attributes of a {@link Watch} on the item of a profile. Immutable and thread-safe. */
record WatchAttributes(
        Attribute<WatchKind> by,
        Attribute<String> url,
        Attribute<Integer> interval,
        Attribute<Integer> timeout,
        Attribute<List<Integer>> statuses,
        Attribute<String> contains) {

    static WatchAttributes in(Codec<Watch> part) {
        return new WatchAttributes(
                part.optional("watch_by", AttributeType.wireName(WatchKind.HTTP), Watch::by),
                part.optional("watch_url", TEXT, Watch::url),
                part.optional("watch_interval", INTEGER, Watch::intervalSeconds),
                part.optional("watch_timeout", INTEGER, Watch::timeoutSeconds),
                part.optional("watch_statuses", INTEGER.listed(), Watch::statuses),
                part.optional("watch_contains", TEXT, Watch::contains));
    }

    Watch of(Map<String, AttributeValue> item) {
        return new Watch(
                by.of(item), url.of(item), interval.of(item), timeout.of(item), statuses.of(item), contains.of(item));
    }
}
