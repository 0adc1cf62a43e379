package dev.agenthealth.model.sweep;

import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The evidence of all probes about the network between the registry and watched agents. Immutable.
 *
 * <p>An owner with a large sample is judged by its own agents, and its failures decide nothing for other owners. All other owners are judged
 * together, by the votes of owners. So one owner alone can neither postpone deaths of agents of other owners nor cause them.
 *
 * <p>An owner that had a large sample keeps its places while it has {@link #MIN_KEPT} results. Its episode ends with answers of its own agents, and not
 * because its sample became small.
 *
 * @param sample the latest results
 * @param reported the episode that events report: probes are inconclusive for at least one owner
 * @param common the episode of all owners without a large sample
 * @param owners the episodes of owners that have or had a large sample, by the owner's number; at most {@link #MAX_OWNERS}. An episode stays after
 *     it ended, so that missing answers during it never count.
 */
public record ProbeEvidence(
        ProbeSample sample, ProbeEpisode reported, ProbeEpisode common, Map<Integer, ProbeEpisode> owners) {

    /** The maximum number of owners with their own episode: all owners with a large sample, and one more. */
    public static final int MAX_OWNERS = ProbeSample.MAX_LARGE + 1;

    /** The number of results down to which an owner keeps its places after its sample was large. */
    static final int MIN_KEPT = ProbeSample.MIN_AGENTS / 2;

    /** The evidence before the first probe. */
    public static final ProbeEvidence NONE =
            new ProbeEvidence(ProbeSample.EMPTY, ProbeEpisode.NONE, ProbeEpisode.NONE, Map.of());

    private static final Comparator<Map.Entry<Integer, ProbeEpisode>> MOST_NEEDED_FIRST =
            Comparator.<Map.Entry<Integer, ProbeEpisode>, Instant>comparing(
                            owner -> owner.getValue().inconclusiveSince())
                    .thenComparing(owner -> owner.getValue().conclusiveFrom())
                    .reversed()
                    .thenComparing(Map.Entry.comparingByKey());

    public ProbeEvidence {
        owners = Map.copyOf(owners);
    }

    /** Returns whether failed probes prove nothing about the agents of at least one owner. */
    public boolean isInconclusive() {
        return reported.isInconclusive();
    }

    /** Returns the moment from which probes are inconclusive for at least one owner; {@link Instant#MIN} while they are conclusive. */
    public Instant inconclusiveSince() {
        return reported.inconclusiveSince();
    }

    /** Returns the moment at which probes became conclusive for all owners; initially {@link Instant#EPOCH}. */
    public Instant conclusiveFrom() {
        return reported.conclusiveFrom();
    }

    /**
     * Returns the moment from which missing answers of an owner's watched agents count. Answers of one other owner alone show nothing: this owner may
     * use a part of the network that works.
     *
     * @param owner the owner's number in samples
     */
    public Instant silenceCountsFrom(int owner, Instant now) {
        ProbeSample own = of(owner);
        ProbeEpisode episode = owners.getOrDefault(owner, ProbeEpisode.NONE);
        if (own.isLarge()) {
            return episode.silenceCountsFrom(own.hasAnswer(), now);
        }
        boolean others = own.hasAnswer() || sample.hasAnswersOfOwners();
        Instant usual = common.silenceCountsFrom(others, now);
        Instant after = episode.silenceCountsFrom(others, now);
        return usual.isAfter(after) ? usual : after;
    }

    /** Returns the part of a sample that belongs to owners for whose agents failed probes prove nothing. */
    public ProbeSample inconclusivePart(ProbeSample whole) {
        return whole.of(knownOwners().stream().filter(this::isInconclusive).collect(Collectors.toSet()));
    }

    private boolean isInconclusive(int owner) {
        ProbeEpisode own = owners.getOrDefault(owner, ProbeEpisode.NONE);
        return own.isInconclusive() || !of(owner).isLarge() && common.isInconclusive();
    }

    /** Returns whether there are enough agents to distinguish failures of the network from failures of this owner's agents. */
    boolean isLargeFleet(int owner) {
        return of(owner).isLarge() || sample.isLargeForAll();
    }

    /** Returns the numbers of the owners that have results or an episode. */
    Set<Integer> knownOwners() {
        return Stream.concat(sample.byOwner().keySet().stream(), owners.keySet().stream())
                .collect(Collectors.toCollection(TreeSet::new));
    }

    /** Returns the evidence in which missing answers count from now, if a clock that ran ahead wrote a later moment. */
    ProbeEvidence bounded(Duration maxAhead, Instant now) {
        Map<Integer, ProbeEpisode> bounded = new HashMap<>();
        owners.forEach((owner, episode) -> bounded.put(owner, episode.bounded(maxAhead, now)));
        return new ProbeEvidence(sample, reported.bounded(maxAhead, now), common.bounded(maxAhead, now), bounded);
    }

    /** Returns the latest moment before which missing answers of some agents do not count. */
    Instant latest() {
        return Stream.concat(Stream.of(reported, common), owners.values().stream())
                .map(ProbeEpisode::conclusiveFrom)
                .max(Comparator.naturalOrder())
                .orElse(Instant.EPOCH);
    }

    /** Returns the evidence with further results of probes. */
    public ProbeEvidence with(Collection<ProbeSample.Result> found, Instant now) {
        return with(sample.with(found, now, reserved()), now);
    }

    /** Returns the owners that keep their places. */
    private Set<Integer> reserved() {
        Map<Integer, ProbeSample> samples = sample.byOwner();
        return owners.keySet().stream()
                .filter(samples::containsKey)
                .filter(owner -> owners.get(owner).isInconclusive()
                        || samples.get(owner).results().size() >= MIN_KEPT)
                .sorted(Comparator.<Integer, Boolean>comparing(
                                owner -> !samples.get(owner).isLarge())
                        .thenComparing(owner -> !owners.get(owner).isInconclusive())
                        .thenComparing(Comparator.naturalOrder()))
                .limit(ProbeSample.MAX_LARGE)
                .collect(Collectors.toSet());
    }

    /** Returns the evidence with a later sample. */
    ProbeEvidence with(ProbeSample later, Instant now) {
        ProbeEvidence next = new ProbeEvidence(
                later, reported, common.with(later.isInconclusiveForAll(), now), episodes(later, now));
        boolean inconclusive =
                next.common.isInconclusive() || next.owners.values().stream().anyMatch(ProbeEpisode::isInconclusive);
        return new ProbeEvidence(later, reported.with(inconclusive, now), next.common, next.owners);
    }

    private Map<Integer, ProbeEpisode> episodes(ProbeSample later, Instant now) {
        Map<Integer, ProbeSample> samples = later.byOwner();
        Map<Integer, ProbeEpisode> episodes = new TreeMap<>(owners);
        samples.forEach((owner, own) -> {
            ProbeEpisode episode = owners.getOrDefault(owner, ProbeEpisode.NONE);
            // Missing answers that did not count for the owner before do not count later.
            boolean begins = own.isLarge() && !of(owner).isLarge();
            Instant from = common.isInconclusive() ? now : common.conclusiveFrom();
            episodes.put(owner, begins ? episode.notBefore(from) : episode);
        });
        episodes.replaceAll((owner, episode) ->
                episode.with(isInconclusive(episode, samples.getOrDefault(owner, ProbeSample.EMPTY), now), now));
        Predicate<Integer> isLarge =
                owner -> samples.getOrDefault(owner, ProbeSample.EMPTY).isLarge();
        Predicate<Map.Entry<Integer, ProbeEpisode>> lasts =
                owner -> samples.containsKey(owner.getKey()) && owner.getValue().isInconclusive();
        return episodes.entrySet().stream()
                .filter(owner ->
                        isLarge.test(owner.getKey()) || !owner.getValue().equals(ProbeEpisode.NONE))
                .sorted(Comparator.<Map.Entry<Integer, ProbeEpisode>, Boolean>comparing(
                                owner -> !isLarge.test(owner.getKey()))
                        .thenComparing(owner -> !lasts.test(owner))
                        .thenComparing(MOST_NEEDED_FIRST))
                .limit(MAX_OWNERS)
                .collect(Collectors.toMap(Map.Entry::getKey, Map.Entry::getValue));
    }

    /** Returns whether probes are inconclusive for an owner by its own agents. A sample that became small ends no episode without answers. */
    private static boolean isInconclusive(ProbeEpisode before, ProbeSample own, Instant now) {
        if (own.isLarge() || !before.isInconclusive()) {
            return own.isInconclusive();
        }
        return own.results().isEmpty()
                ? now.isBefore(before.inconclusiveSince().plus(ProbeEpisode.MAX_TROUBLE))
                : own.mostFailed();
    }

    private ProbeSample of(int owner) {
        return sample.of(Set.of(owner));
    }
}
