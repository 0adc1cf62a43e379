package dev.agenthealth.functions.registry;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.agenthealth.functions.runtime.http.Fields;
import dev.agenthealth.model.registry.profile.Expectation;
import dev.agenthealth.model.registry.usage.OnExceeded;
import dev.agenthealth.model.registry.usage.UsageLimit;
import dev.agenthealth.model.registry.usage.UsageLimits;
import java.util.EnumMap;
import java.util.Map;

/** The limits of usage in requests and answers. */
public final class LimitFields {

    /** The field with the limits. */
    public static final String LIMITS = "limits";

    private LimitFields() {}

    /** Returns the limits that the agents of a role or an owner share; {@link UsageLimits#NONE} if the field is absent or null. */
    public static UsageLimits shared(Fields place) {
        Fields fields = place.object(LIMITS);
        Map<UsageLimit, Long> numbers = new EnumMap<>(UsageLimit.class);
        for (UsageLimit limit : UsageLimit.values()) {
            if (limit.isShared()) {
                Expectation rule = Expectation.valueOf(limit.name());
                fields.number(limit.wireName()).ifPresent(number -> {
                    if (rule.accepts(number)) {
                        numbers.put(limit, (long) number);
                    } else {
                        fields.refuse(limit.wireName(), rule.rule());
                    }
                });
            } else if (fields.has(limit.wireName())) {
                fields.refuse(
                        limit.wireName(), "belongs to the limits of an agent, as agents do not share an execution");
            }
        }
        UsageLimits limits = new UsageLimits(
                numbers,
                fields.flag("count_cached", false),
                fields.oneOf("on_exceeded", OnExceeded.class).orElse(OnExceeded.NONE));
        fields.refuseUnknown();
        if (place.has(LIMITS) && !limits.isDeclared()) {
            place.refuse(LIMITS, "must have tokens_per_hour, tokens_per_day or executions_per_hour");
        }
        return limits;
    }

    /** Puts declared limits. */
    public static void put(ObjectNode json, UsageLimits limits) {
        if (!limits.isDeclared()) {
            return;
        }
        ObjectNode shown = json.putObject(LIMITS);
        for (UsageLimit limit : UsageLimit.values()) {
            limits.get(limit).ifPresent(number -> shown.put(limit.wireName(), number));
        }
        shown.put("count_cached", limits.countCached())
                .put("on_exceeded", limits.onExceeded().wireName());
    }
}
