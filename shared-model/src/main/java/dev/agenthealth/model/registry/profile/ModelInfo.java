package dev.agenthealth.model.registry.profile;

import java.time.Instant;
import java.util.Collections;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * The model of an agent, as far as declared (Agent Health State §4.5).
 *
 * @param name the name; empty if unknown
 * @param version the version; empty if unknown
 * @param changedAt the moment at which the agent changed to this model, or another model was served for it; {@link Instant#MIN} if unknown
 * @param served the models that providers serve, by the requested name, at most {@value #MAX_SERVED}
 */
public record ModelInfo(String name, String version, Instant changedAt, SortedMap<String, ServedModel> served) {

    /** The maximum number of requested names whose served models are known. Further names are not observed. */
    public static final int MAX_SERVED = 8;

    /** The value if the model is unknown. */
    public static final ModelInfo UNKNOWN = new ModelInfo("", "", Instant.MIN);

    public ModelInfo {
        served = Collections.unmodifiableSortedMap(new TreeMap<>(served));
    }

    /** Creates a model of which no served models are known. */
    public ModelInfo(String name, String version, Instant changedAt) {
        this(name, version, changedAt, Collections.emptySortedMap());
    }

    /**
     * Returns this model after calls in spans. If a provider served another model than before for a requested name, the model changed now. The first
     * observation of a name is no change.
     *
     * @param calls the served models by the requested name
     */
    public ModelInfo observing(Map<String, String> calls, Instant now) {
        SortedMap<String, ServedModel> next = new TreeMap<>(served);
        boolean changed = false;
        for (Map.Entry<String, String> call : new TreeMap<>(calls).entrySet()) {
            ServedModel known = next.get(call.getKey());
            if (known != null) {
                next.put(call.getKey(), known.then(call.getValue()));
                changed |= !known.knows(call.getValue());
            } else if (next.size() < MAX_SERVED) {
                next.put(call.getKey(), new ServedModel(call.getValue(), ""));
            }
        }
        return new ModelInfo(name, version, changed ? now : changedAt, next);
    }

    /** Returns this model with the served models of an earlier profile. */
    private ModelInfo servedAs(ModelInfo before) {
        return new ModelInfo(name, version, changedAt, before.served);
    }

    /**
     * Returns this model with the date of its change. A declared date counts first. Otherwise, the date of {@code before} counts if the model is
     * the same. If this model replaces another known model, the date is {@code now}. A model without a name has no date.
     */
    public ModelInfo replacing(ModelInfo before, Instant now) {
        return declaredAfter(before, now).servedAs(before);
    }

    private ModelInfo declaredAfter(ModelInfo before, Instant now) {
        if (hasChangeDate()) {
            return this;
        }
        if (name.isEmpty() && version.isEmpty()) {
            return before.name.isEmpty() && before.version.isEmpty() ? UNKNOWN.changedAt(before.changedAt) : UNKNOWN;
        }
        boolean same = name.equals(before.name) && version.equals(before.version);
        boolean known = !before.name.isEmpty() || !before.version.isEmpty();
        return new ModelInfo(name, version, same || !known ? before.changedAt : now);
    }

    private ModelInfo changedAt(Instant moment) {
        return new ModelInfo(name, version, moment);
    }

    /** Returns whether the date of the change is known. */
    public boolean hasChangeDate() {
        return changedAt.isAfter(Instant.MIN);
    }
}
