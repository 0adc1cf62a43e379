package dev.agenthealth.functions.storage.telemetry;

import static dev.agenthealth.functions.storage.dynamo.Values.seconds;

import dev.agenthealth.functions.storage.dynamo.Attributes;
import dev.agenthealth.functions.storage.dynamo.Condition;
import dev.agenthealth.functions.storage.dynamo.Database;
import dev.agenthealth.functions.storage.dynamo.ItemKind;
import dev.agenthealth.functions.storage.dynamo.Update;
import dev.agenthealth.model.registry.telemetry.SpanKey;
import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.stream.Collectors;
import software.amazon.awssdk.core.SdkBytes;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/** Stores which agents executed in a trace, so that evaluations that arrive later find their agents. Each key has its own traces. Thread-safe. */
public final class TraceStore {

    /** The time for which a trace is kept. */
    public static final Duration RETENTION = Duration.ofDays(1);

    /** The maximum number of executions of a trace, beyond which a request adds none. */
    static final int MAX_EXECUTIONS = 50;

    private static final int SPAN_DIGITS = 16;

    /** The set of executions, each as the id of its span and the id of its agent. */
    private static final String EXECUTIONS = "x";

    private final Database database;

    public TraceStore(Database database) {
        this.database = database;
    }

    /** Adds executions of an agent. Costs one write for each trace. */
    public void add(String keyId, String agentId, Collection<SpanKey> executions) {
        executions.stream().collect(Collectors.groupingBy(SpanKey::traceId)).forEach((trace, spans) -> {
            List<SdkBytes> added = spans.stream()
                    .limit(MAX_EXECUTIONS)
                    .map(span -> SdkBytes.fromUtf8String(span.spanId() + agentId))
                    .toList();
            database.registry()
                    .update(Update.upsert(ItemKind.TRACE.key(trace, keyId))
                            .set(Attributes.EXPIRES, seconds(database.now().plus(RETENTION)))
                            .add(EXECUTIONS, AttributeValue.fromBs(added))
                            .when(Condition.absent(EXECUTIONS).or(Condition.sizeLessThan(EXECUTIONS, MAX_EXECUTIONS))));
        });
    }

    /** Returns the agents of the executions in these traces: the id of the agent by the span, by trace. Strongly consistent. */
    public Map<String, Map<String, String>> find(String keyId, Collection<String> traces) {
        List<Map<String, AttributeValue>> keys = new TreeSet<>(traces)
                .stream().map(trace -> ItemKind.TRACE.key(trace, keyId)).toList();
        Map<String, Map<String, String>> found = new HashMap<>();
        for (Map<String, AttributeValue> item : database.registry().getAll(keys, true)) {
            if (!Attributes.isExpired(item, database.now())) {
                Map<String, String> agents = new HashMap<>();
                for (SdkBytes execution : item.get(EXECUTIONS).bs()) {
                    String text = execution.asUtf8String();
                    agents.put(text.substring(0, SPAN_DIGITS), text.substring(SPAN_DIGITS));
                }
                found.put(ItemKind.TRACE.ofPartition(item), agents);
            }
        }
        return found;
    }
}
