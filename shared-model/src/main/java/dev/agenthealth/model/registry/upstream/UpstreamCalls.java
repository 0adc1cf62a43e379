package dev.agenthealth.model.registry.upstream;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/**
 * The last calls of providers by an agent. A provider has one entry for each model and kind of failure while its last call failed, and one entry
 * without a failure otherwise.
 *
 * <p>A failing call counts only if it ended after the last counted failing call of its entry. So a batch that arrives twice counts once.
 *
 * @param entries at most {@value #MAX_ENTRIES} entries, the latest first
 */
public record UpstreamCalls(List<Entry> entries) {

    /** The maximum number of entries of an agent. */
    public static final int MAX_ENTRIES = 8;

    /** The time without a failing call after which failing calls are counted anew. */
    public static final Duration PAUSE = Duration.ofMinutes(5);

    /** The time after which an answered call is stored again, although nothing else changed. */
    public static final Duration REFRESH = Duration.ofMinutes(30);

    /** The maximum age of calls that are stored. */
    public static final Duration MAX_AGE = Duration.ofMinutes(10);

    /** No calls. */
    public static final UpstreamCalls NONE = new UpstreamCalls(List.of());

    /**
     * The last calls of a provider with the same result.
     *
     * @param provider the provider
     * @param model the model of the failing calls; empty without a failure, or if the model is unknown
     * @param error the failure; empty if the provider answered
     * @param calls the number of failing calls without a pause; 0 without a failure
     * @param at the end of the last call
     */
    public record Entry(String provider, String model, Optional<UpstreamError> error, long calls, Instant at) {

        /** Returns whether the last calls of the provider failed. */
        public boolean isFailing() {
            return error.isPresent();
        }

        private boolean isOf(UpstreamCall call) {
            return provider.equals(call.provider()) && model.equals(call.model()) && error.equals(call.error());
        }
    }

    public UpstreamCalls {
        entries = entries.stream()
                .sorted(Comparator.comparing(Entry::at)
                        .reversed()
                        .thenComparing(Entry::provider)
                        .thenComparing(Entry::model)
                        .thenComparing(entry -> entry.error().toString()))
                .limit(MAX_ENTRIES)
                .toList();
    }

    /** Returns the calls with more calls, in any order. Calls in the future count as now, and old calls do not count. */
    public UpstreamCalls plus(List<UpstreamCall> more, Instant now) {
        UpstreamCalls after = this;
        List<UpstreamCall> counted = more.stream()
                .filter(call -> !call.at().isBefore(now.minus(MAX_AGE)))
                .map(call -> call.notAfter(now))
                .sorted(Comparator.comparing(UpstreamCall::at).thenComparing(UpstreamCall::isFailure))
                .toList();
        for (UpstreamCall call : counted) {
            after = call.isFailure() ? after.failed(call, entries) : after.answered(call);
        }
        return after;
    }

    /** @param before the entries before all calls of the batch: calls of a batch may end at the same time */
    private UpstreamCalls failed(UpstreamCall call, List<Entry> before) {
        boolean known =
                before.stream().anyMatch(entry -> entry.isOf(call) && !call.at().isAfter(entry.at()));
        boolean overtaken = entries.stream()
                .anyMatch(entry -> entry.provider().equals(call.provider())
                        && !entry.isFailing()
                        && call.at().isBefore(entry.at()));
        if (known || overtaken) {
            return this;
        }
        long calls = 1;
        List<Entry> after = new ArrayList<>();
        for (Entry entry : entries) {
            boolean answered = entry.provider().equals(call.provider()) && !entry.isFailing();
            if (entry.isOf(call)) {
                calls += entry.at().plus(PAUSE).isBefore(call.at()) ? 0 : entry.calls();
            } else if (!answered) {
                after.add(entry);
            }
        }
        after.add(new Entry(call.provider(), call.model(), call.error(), calls, call.at()));
        return new UpstreamCalls(after);
    }

    /** Returns the calls after an answer: it ends earlier failures of the provider. */
    private UpstreamCalls answered(UpstreamCall call) {
        List<Entry> ofProvider = entries.stream()
                .filter(entry -> entry.provider().equals(call.provider()))
                .toList();
        boolean news = ofProvider.isEmpty()
                || ofProvider.stream()
                        .anyMatch(entry -> entry.isFailing()
                                ? entry.at().isBefore(call.at())
                                : entry.at().plus(REFRESH).isBefore(call.at()));
        if (!news) {
            return this;
        }
        List<Entry> after = new ArrayList<>(entries);
        after.removeIf(
                entry -> entry.provider().equals(call.provider()) && entry.at().isBefore(call.at()));
        if (after.stream().noneMatch(entry -> entry.provider().equals(call.provider()))) {
            after.add(new Entry(call.provider(), "", Optional.empty(), 0, call.at()));
        }
        return new UpstreamCalls(after);
    }
}
