package dev.agenthealth.functions.storage.system;

import static dev.agenthealth.functions.storage.dynamo.Values.moment;

import dev.agenthealth.functions.storage.dynamo.Condition;
import dev.agenthealth.functions.storage.dynamo.Update;
import dev.agenthealth.functions.storage.dynamo.Values;
import dev.agenthealth.model.sweep.ProbeEpisode;
import dev.agenthealth.model.sweep.ProbeEvidence;
import dev.agenthealth.model.sweep.ProbeSample;
import java.nio.ByteBuffer;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/** The attributes of the sweep's state with the evidence of probes. */
final class ProbeEvidenceItem {

    private static final String SAMPLE = "sample";
    private static final String EPISODES = "episodes";
    private static final String INCONCLUSIVE = "probes_inconclusive";
    private static final String CONCLUSIVE = "probes_conclusive";

    /** The sample of the previous version. */
    private static final String UNOWNED_SAMPLE = "probes";

    private static final List<String> ATTRIBUTES = List.of(SAMPLE, EPISODES, INCONCLUSIVE, CONCLUSIVE);

    /** The bytes of a moment in epoch milliseconds. */
    private static final int MOMENT = 6;

    private static final int EPISODE = 2 * MOMENT;

    private ProbeEvidenceItem() {}

    static ProbeEvidence read(Map<String, AttributeValue> item) {
        ProbeEpisode reported =
                new ProbeEpisode(moment(item, INCONCLUSIVE, Instant.MIN), moment(item, CONCLUSIVE, Instant.EPOCH));
        ProbeSample sample = item.containsKey(SAMPLE)
                ? ProbeSampleBytes.read(item.get(SAMPLE))
                : ProbeSampleBytes.readUnowned(item.get(UNOWNED_SAMPLE));
        if (!item.containsKey(EPISODES)) {
            // In the previous version, one episode was for all owners.
            return new ProbeEvidence(sample, reported, reported, Map.of());
        }
        ByteBuffer bytes = item.get(EPISODES).b().asByteBuffer();
        ProbeEpisode common = episode(bytes);
        Map<Integer, ProbeEpisode> owners = new HashMap<>();
        while (bytes.hasRemaining()) {
            owners.put(Short.toUnsignedInt(bytes.getShort()), episode(bytes));
        }
        return new ProbeEvidence(sample, reported, common, owners);
    }

    private static ProbeEpisode episode(ByteBuffer bytes) {
        long since = number(bytes);
        return new ProbeEpisode(
                since == 0 ? Instant.MIN : Instant.ofEpochMilli(since), Instant.ofEpochMilli(number(bytes)));
    }

    /** Sets the evidence if the item still has the evidence that was read. */
    static void set(Update update, Map<String, AttributeValue> read, ProbeEvidence evidence) {
        ATTRIBUTES.forEach(attribute -> update.when(
                read.containsKey(attribute)
                        ? Condition.equal(attribute, read.get(attribute))
                        : Condition.absent(attribute)));
        update.replace(ATTRIBUTES, values(evidence)).remove(UNOWNED_SAMPLE);
    }

    /** Sets the ends of episodes without times in the future if the item still has the ends that were read. */
    static void correct(Update update, ProbeEvidence read, ProbeEvidence bounded) {
        if (bounded.equals(read)) {
            return;
        }
        Map<String, AttributeValue> before = values(read);
        for (String attribute : List.of(EPISODES, CONCLUSIVE)) {
            // The previous version stored no episodes of owners.
            if (before.containsKey(attribute)) {
                update.when(Condition.absent(attribute).or(Condition.equal(attribute, before.get(attribute))));
            }
        }
        update.setPresent(List.of(EPISODES, CONCLUSIVE), values(bounded));
    }

    private static Map<String, AttributeValue> values(ProbeEvidence evidence) {
        Map<String, AttributeValue> values = new HashMap<>();
        values.put(SAMPLE, ProbeSampleBytes.value(evidence.sample()));
        if (!evidence.common().equals(ProbeEpisode.NONE) || !evidence.owners().isEmpty()) {
            values.put(EPISODES, episodes(evidence));
        }
        if (evidence.isInconclusive()) {
            values.put(INCONCLUSIVE, moment(evidence.inconclusiveSince()));
        }
        if (evidence.conclusiveFrom().isAfter(Instant.EPOCH)) {
            values.put(CONCLUSIVE, moment(evidence.conclusiveFrom()));
        }
        return values;
    }

    private static AttributeValue episodes(ProbeEvidence evidence) {
        ByteBuffer bytes = ByteBuffer.allocate(EPISODE + evidence.owners().size() * (Short.BYTES + EPISODE));
        put(bytes, evidence.common());
        new TreeMap<>(evidence.owners()).forEach((owner, episode) -> {
            bytes.putShort(owner.shortValue());
            put(bytes, episode);
        });
        return Values.b(bytes.array());
    }

    private static void put(ByteBuffer bytes, ProbeEpisode episode) {
        put(bytes, episode.isInconclusive() ? episode.inconclusiveSince().toEpochMilli() : 0);
        put(bytes, episode.conclusiveFrom().toEpochMilli());
    }

    private static void put(ByteBuffer bytes, long number) {
        bytes.putShort((short) (number >>> Integer.SIZE)).putInt((int) number);
    }

    private static long number(ByteBuffer bytes) {
        return Short.toUnsignedLong(bytes.getShort()) << Integer.SIZE | Integer.toUnsignedLong(bytes.getInt());
    }
}
