package dev.agenthealth.model.sweep;

import dev.agenthealth.model.identity.GroupNumber;
import java.time.Instant;

/**
 * The deaths that are postponed during a mass restart.
 *
 * @param from deaths that became due after this moment are postponed; {@link Instant#MAX} for none
 * @param owner the {@linkplain OwnerCounts#numberOf number} of the owner whose deaths are postponed; {@link GroupNumber#NONE} for all owners
 */
public record PostponedDeaths(Instant from, long owner) {

    public static final PostponedDeaths NONE = ofAll(Instant.MAX);

    /** Postpones the deaths of all owners that became due after {@code from}. */
    public static PostponedDeaths ofAll(Instant from) {
        return new PostponedDeaths(from, GroupNumber.NONE);
    }

    /** Returns whether the death of an agent of this owner, which became due at {@code dueAt}, is postponed. */
    public boolean covers(long ofOwner, Instant dueAt) {
        return coversOwner(ofOwner) && dueAt.isAfter(from);
    }

    /** Returns the number of dying agents whose deaths may be postponed. */
    public long waiting(OwnerCounts owners) {
        return owners.dying().entrySet().stream()
                .filter(dying -> coversOwner(dying.getKey()))
                .mapToLong(dying -> dying.getValue())
                .sum();
    }

    private boolean coversOwner(long ofOwner) {
        return owner == GroupNumber.NONE || owner == ofOwner;
    }
}
