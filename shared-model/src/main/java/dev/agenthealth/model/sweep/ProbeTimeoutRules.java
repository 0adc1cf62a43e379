package dev.agenthealth.model.sweep;

import dev.agenthealth.model.identity.Owner;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;

/**
 * The timeout rules of a pass for watched agents. Owners have different rules because the agents of one owner prove nothing about the network of
 * another owner.
 *
 * @param usual the rule for owners without their own rule
 * @param byOwner the rules of some owners, by the owner's {@linkplain ProbeSample#numberOf number}
 */
public record ProbeTimeoutRules(ProbeTimeoutRule usual, Map<Integer, ProbeTimeoutRule> byOwner) {

    public ProbeTimeoutRules {
        byOwner = Map.copyOf(byOwner);
    }

    /** Returns one rule for all owners. */
    public static ProbeTimeoutRules ofAll(ProbeTimeoutRule rule) {
        return new ProbeTimeoutRules(rule, Map.of());
    }

    /**
     * Returns the rules for a pass.
     *
     * @param graceFrom the start of the grace period for agents that send heartbeats
     */
    public static ProbeTimeoutRules of(ProbeEvidence evidence, Instant graceFrom, Instant now) {
        Instant common = evidence.common().silenceCountsFrom(evidence.sample().hasAnswersOfOwners(), now);
        ProbeTimeoutRule usual = rule(common, evidence.sample().isLargeForAll(), graceFrom);
        Map<Integer, ProbeTimeoutRule> byOwner = new HashMap<>();
        for (int owner : evidence.knownOwners()) {
            Instant from = evidence.silenceCountsFrom(owner, now);
            byOwner.put(owner, rule(from, evidence.isLargeFleet(owner), graceFrom));
        }
        byOwner.values().removeIf(usual::equals);
        return new ProbeTimeoutRules(usual, byOwner);
    }

    private static ProbeTimeoutRule rule(Instant from, boolean isLargeFleet, Instant graceFrom) {
        return new ProbeTimeoutRule(from.isAfter(graceFrom) ? from : graceFrom, isLargeFleet);
    }

    /** Returns the rule for the agents of an owner. */
    public ProbeTimeoutRule of(Owner owner) {
        return byOwner.getOrDefault(ProbeSample.numberOf(owner), usual);
    }
}
