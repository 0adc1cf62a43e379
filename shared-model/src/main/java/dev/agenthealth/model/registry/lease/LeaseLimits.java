package dev.agenthealth.model.registry.lease;

import dev.agenthealth.model.FieldError;
import java.util.ArrayList;
import java.util.List;

/**
 * The maximum numbers of live leases. A lease is live until its end is stored: an expired lease counts until the sweep ends it.
 *
 * <p>An instance may hold any numbers; {@link #errors()} names the numbers that break a rule.
 *
 * @param perAgent the maximum number of live leases of one agent
 * @param perKey the maximum number of live leases of all agents of one key
 * @param inAll the maximum number of live leases of all agents
 */
public record LeaseLimits(int perAgent, int perKey, int inAll) {

    public static final int MAX_PER_AGENT = 10_000;
    public static final int MAX_IN_ALL = 1_000_000;

    public static final LeaseLimits DEFAULT = new LeaseLimits(1_000, 10_000, 50_000);

    /** Returns the rules that these numbers break, with the field names of the HTTP interface. */
    public List<FieldError> errors() {
        List<FieldError> errors = new ArrayList<>();
        check(errors, "leases.max_per_agent", perAgent, MAX_PER_AGENT);
        check(errors, "leases.max_per_key", perKey, MAX_IN_ALL);
        check(errors, "leases.max_in_all", inAll, MAX_IN_ALL);
        return List.copyOf(errors);
    }

    private static void check(List<FieldError> errors, String field, int value, int maximum) {
        if (value < 1 || value > maximum) {
            errors.add(new FieldError(field, "must be from 1 to " + maximum));
        }
    }
}
