package dev.agenthealth.model.registry.declaration;

import dev.agenthealth.model.ClockRule;
import dev.agenthealth.model.registry.profile.ModelInfo;
import dev.agenthealth.model.registry.profile.ServedModel;
import java.time.Instant;
import java.util.Map;

/**
 * The present declaration of an agent beside its accepted declaration.
 *
 * <p>The first observation is accepted. Later observations add up to one change, until an operator accepts the present declaration or the agent
 * returns to the accepted one.
 *
 * @param kind the kind of document that was last observed
 * @param accepted the accepted declaration
 * @param present the present declaration
 * @param observedAt the first observation of the present declaration
 * @param revision the number of writes of this state, from 1; 0 for {@link #NONE}
 */
public record DeclarationState(
        DeclarationKind kind, DeclaredParts accepted, DeclaredParts present, Instant observedAt, long revision) {

    /** The state before the first observation. */
    public static final DeclarationState NONE =
            new DeclarationState(DeclarationKind.MODEL, DeclaredParts.NONE, DeclaredParts.NONE, Instant.EPOCH, 0);

    /** Returns whether anything was observed. */
    public boolean isKnown() {
        return revision > 0;
    }

    /** Returns whether the present declaration differs from the accepted one. */
    public boolean isChanged() {
        return !present.equals(accepted);
    }

    /** Returns the difference between the present and the accepted declaration. */
    public DeclarationDifference difference() {
        return DeclarationDifference.between(accepted, present);
    }

    /** Returns the kind of document that changed. */
    public DeclarationKind changeOf() {
        return isChanged() && difference().isOfModel() ? DeclarationKind.MODEL : kind;
    }

    /** Returns whether the write that replaces an earlier state by this one also publishes an event. */
    public boolean isNewsAfter(DeclarationState before) {
        return !difference().equals(before.difference()) || isChanged() && observedAt.isAfter(before.observedAt);
    }

    /**
     * Returns the state after an observation of a card or of tools. It is this state if the observation is older than the last one, or shows
     * nothing new.
     *
     * @param model the model of the profile, which the first observation accepts together with the rest
     */
    public DeclarationState observed(DeclarationKind observed, DeclaredParts parts, ModelInfo model, Instant now) {
        if (!isKnown()) {
            DeclaredParts first = parts.withModel(model.name(), model.version());
            return new DeclarationState(observed, first, first, now, 1);
        }
        DeclaredParts next = parts.withModelsOf(present);
        if (kind == DeclarationKind.MODEL) {
            // Only the model was known so far, so the first observation of other parts is accepted.
            return new DeclarationState(observed, parts.withModelsOf(accepted), next, observedAt, revision + 1);
        }
        boolean isOlder = now.isBefore(observedAt) && !ClockRule.isTooFarAhead(observedAt, ClockRule.MAX_PASS, now);
        return next.equals(present) || isOlder
                ? this
                : new DeclarationState(observed, accepted, next, now, revision + 1);
    }

    /** Returns the state after the profile names another model; this state if only the first model is known. */
    public DeclarationState modelled(ModelInfo before, ModelInfo after, Instant now) {
        DeclaredParts base = accepted.hasModel() ? accepted : accepted.withModel(before.name(), before.version());
        DeclaredParts next = present.withModel(after.name(), after.version());
        if (base.hasModel()) {
            return new DeclarationState(kind, base, next, now, revision + 1);
        }
        // The first model is accepted like any first observation.
        return isKnown() ? new DeclarationState(kind, base.withModelOf(next), next, observedAt, revision + 1) : this;
    }

    /**
     * Returns the state after a provider served another model for a requested name; this state if that is no news. The model that was served before is
     * accepted like any first observation.
     */
    public DeclarationState served(ModelInfo before, ModelInfo after, Instant now) {
        DeclaredParts base = accepted;
        DeclaredParts next = present;
        for (Map.Entry<String, ServedModel> known : before.served().entrySet()) {
            String requested = known.getKey();
            ServedModel seen = after.served().getOrDefault(requested, known.getValue());
            if (!seen.equals(known.getValue())) {
                base = base.hasServed(requested)
                        ? base
                        : base.withServed(requested, known.getValue().present());
                next = next.withServed(requested, seen.present());
            }
        }
        return next.equals(present) ? this : new DeclarationState(kind, base, next, now, revision + 1);
    }

    /** Returns the state after an operator accepts the present declaration. */
    public DeclarationState acceptPresent() {
        return new DeclarationState(kind, present, present, observedAt, revision + 1);
    }
}
