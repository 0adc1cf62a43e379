package dev.agenthealth.functions.operations.silences;

import dev.agenthealth.functions.storage.agents.AgentStore;
import dev.agenthealth.functions.storage.agents.ListedAgent;
import dev.agenthealth.functions.storage.dynamo.Database;
import dev.agenthealth.functions.storage.pulses.PulseStore;
import dev.agenthealth.functions.storage.silences.SilenceStore;
import dev.agenthealth.model.operations.silence.Silence;
import dev.agenthealth.model.operations.silence.SilenceLabels;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Finds the silences that cover events and problems. Thread-safe. */
public final class SilenceFinder {

    /** The maximum number of rows per request, so that no request reads the whole table. */
    private static final int MAX_ROWS = 100;

    private final SilenceStore silences;
    private final PulseStore pulses;
    private final AgentStore agents;

    public SilenceFinder(Database database) {
        this.silences = new SilenceStore(database);
        this.pulses = new PulseStore(database);
        this.agents = new AgentStore(database);
    }

    /** Returns the silences that are active at a moment, from a consistent read. Costs one query. */
    public List<Silence> active(Instant now) {
        return silences.all().stream().filter(silence -> silence.isActive(now)).toList();
    }

    /**
     * Returns for each of these labels, in their order, the silence that covers it and ends last; empty if no silence covers it. Rows of agents are
     * read, eventually consistent, only if a silence matches by labels that no event has.
     */
    public List<Optional<Silence>> covering(List<Silence> active, List<SilenceLabels> all, Instant now) {
        if (active.isEmpty()) {
            return all.stream().map(labels -> Optional.<Silence>empty()).toList();
        }
        Map<String, ListedAgent> rows =
                active.stream().anyMatch(Silence::needsLookup) ? rows(all) : rows(withoutRole(all));
        return all.stream()
                .map(labels -> Silence.lastToEnd(active, completed(labels, rows), now))
                .toList();
    }

    /** Returns labels without a role, as some events of agents do not name the role. */
    private static List<SilenceLabels> withoutRole(List<SilenceLabels> all) {
        return all.stream().filter(labels -> labels.roleId().isEmpty()).toList();
    }

    private Map<String, ListedAgent> rows(List<SilenceLabels> all) {
        List<String> agentIds = all.stream()
                .map(SilenceLabels::agentId)
                .filter(id -> !id.isEmpty())
                .distinct()
                .toList();
        Map<String, ListedAgent> rows = new HashMap<>();
        for (int from = 0; from < agentIds.size(); from += MAX_ROWS) {
            List<String> some = agentIds.subList(from, Math.min(from + MAX_ROWS, agentIds.size()));
            agents.listed(pulses.findAll(some))
                    .forEach(agent -> rows.put(agent.pulse().agentId(), agent));
        }
        return rows;
    }

    private static SilenceLabels completed(SilenceLabels labels, Map<String, ListedAgent> rows) {
        return Optional.ofNullable(rows.get(labels.agentId()))
                .map(agent -> new SilenceLabels(
                        labels.agentId(),
                        labels.roleId().isEmpty() ? agent.profile().roleId() : labels.roleId(),
                        agent.pulse().owner().keyId(),
                        Set.copyOf(agent.profile().capabilities())))
                .orElse(labels);
    }
}
