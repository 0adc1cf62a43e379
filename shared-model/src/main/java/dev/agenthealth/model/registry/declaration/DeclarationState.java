package dev.agenthealth.model.registry.declaration;

import dev.agenthealth.model.ClockRule;
import dev.agenthealth.model.registry.profile.ModelInfo;
import java.time.Instant;

/**
 * The declaration of an agent, beside what was accepted of it. The first observation is accepted; later ones add up to one change until an operator
 * accepts the present one, or the accepted one is back.
 *
 * @param kind what was last observed
 * @param accepted the accepted declaration
 * @param present the present one
 * @param observedAt when the present one was first observed
 * @param revision counts the writes of the state, from 1; 0 for {@link #NONE}
 */
public record DeclarationState(
        DeclarationKind kind, DeclaredParts accepted, DeclaredParts present, Instant observedAt, long revision) {

    /** Nothing was observed. */
    public static final DeclarationState NONE =
            new DeclarationState(DeclarationKind.MODEL, DeclaredParts.NONE, DeclaredParts.NONE, Instant.EPOCH, 0);

    /** Returns whether anything was observed. */
    public boolean isKnown() {
        return revision > 0;
    }

    /** Returns whether the present declaration is not the accepted one. */
    public boolean isChanged() {
        return !present.equals(accepted);
    }

    /** Returns how the present declaration differs from the accepted one. */
    public DeclarationDifference difference() {
        return DeclarationDifference.between(accepted, present);
    }

    /** Returns what the change is of. */
    public DeclarationKind changeOf() {
        return isChanged() && difference().isOfModel() ? DeclarationKind.MODEL : kind;
    }

    /** Returns whether this state is to be published with the write that puts it in place of an earlier one. */
    public boolean isNewsAfter(DeclarationState before) {
        return !difference().equals(before.difference()) || isChanged() && observedAt.isAfter(before.observedAt);
    }

    /**
     * Returns the state after an observation of a card or of tools; this one where nothing is new, or where it is older than the last one.
     *
     * @param model of the profile, which the first observation accepts with the rest
     */
    public DeclarationState observed(DeclarationKind observed, DeclaredParts parts, ModelInfo model, Instant now) {
        if (!isKnown()) {
            DeclaredParts first = parts.withModel(model.name(), model.version());
            return new DeclarationState(observed, first, first, now, 1);
        }
        DeclaredParts next = parts.withModelOf(present);
        if (kind == DeclarationKind.MODEL) {
            // The model was all that was known; what comes to it is accepted.
            return new DeclarationState(observed, parts.withModelOf(accepted), next, observedAt, revision + 1);
        }
        boolean isOlder = now.isBefore(observedAt) && !ClockRule.isTooFarAhead(observedAt, ClockRule.MAX_PASS, now);
        return next.equals(present) || isOlder
                ? this
                : new DeclarationState(observed, accepted, next, now, revision + 1);
    }

    /** Returns the state after the profile names another model; this one where the first model is all that is known. */
    public DeclarationState modelled(ModelInfo before, ModelInfo after, Instant now) {
        DeclaredParts base = accepted.hasModel() ? accepted : accepted.withModel(before.name(), before.version());
        DeclaredParts next = present.withModel(after.name(), after.version());
        if (base.hasModel()) {
            return new DeclarationState(kind, base, next, now, revision + 1);
        }
        // The first model is accepted, as the first observation is.
        return isKnown() ? new DeclarationState(kind, base.withModelOf(next), next, observedAt, revision + 1) : this;
    }

    /** Returns the state after an operator accepts the present declaration. */
    public DeclarationState acceptPresent() {
        return new DeclarationState(kind, present, present, observedAt, revision + 1);
    }
}
