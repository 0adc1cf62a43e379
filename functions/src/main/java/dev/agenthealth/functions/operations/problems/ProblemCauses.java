package dev.agenthealth.functions.operations.problems;

import dev.agenthealth.functions.operations.sources.Source;
import dev.agenthealth.functions.operations.sources.SourceStore;
import dev.agenthealth.functions.storage.agents.AgentStore;
import dev.agenthealth.functions.storage.agents.ImportedFrom;
import dev.agenthealth.functions.storage.dynamo.Database;
import dev.agenthealth.model.event.ProblemKind;
import dev.agenthealth.model.operations.problem.ProblemCause;
import dev.agenthealth.model.operations.problem.ProblemCause.Kind;
import dev.agenthealth.model.operations.problem.ProblemText.Now;
import dev.agenthealth.model.operations.problem.SubjectProblem;
import dev.agenthealth.model.registry.lifecycle.InstanceRule;
import dev.agenthealth.model.registry.lifecycle.Pulse;
import dev.agenthealth.model.registry.profile.AgentProfile;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Finds causes that silent agents may have in common: an ended key, a source that fails, and a host. Thread-safe.
 */
final class ProblemCauses {

    private final AgentStore agents;
    private final SourceStore sources;

    ProblemCauses(Database database) {
        this.agents = new AgentStore(database);
        this.sources = new SourceStore(database);
    }

    /**
     * Returns the cause of each problem, in the order of the problems; empty if none is known. Costs two requests if an agent is silent, and
     * one for each of their sources.
     *
     * @param states the present states of the subjects, in the order of the problems
     */
    List<Optional<ProblemCause>> of(List<SubjectProblem> problems, List<Now> states) {
        Map<String, ProblemCause> ofSilence = ofSilence(silent(problems, states));
        return problems.stream()
                .map(problem ->
                        Optional.ofNullable(ofSilence.get(problem.agentId())).filter(cause -> isSilence(problem)))
                .toList();
    }

    private static boolean isSilence(SubjectProblem problem) {
        return !problem.isClosed() && problem.kind() == ProblemKind.LIFECYCLE;
    }

    private static List<Pulse> silent(List<SubjectProblem> problems, List<Now> states) {
        List<Pulse> silent = new ArrayList<>();
        for (int i = 0; i < problems.size(); i++) {
            if (isSilence(problems.get(i))) {
                states.get(i).pulse().ifPresent(silent::add);
            }
        }
        return silent;
    }

    private Map<String, ProblemCause> ofSilence(List<Pulse> silent) {
        Map<String, ProblemCause> causes = new HashMap<>();
        List<String> others = new ArrayList<>();
        for (Pulse pulse : silent) {
            // The sweep removes the credential from agents whose key was revoked or expired.
            if (pulse.owner().credential().isNone()) {
                causes.put(
                        pulse.agentId(),
                        new ProblemCause(Kind.KEY, pulse.owner().keyId()));
            } else {
                others.add(pulse.agentId());
            }
        }
        Map<String, Boolean> failing = new HashMap<>();
        if (!others.isEmpty()) {
            agents.wholeProfiles(others).forEach((agentId, profile) -> ofProfile(profile, failing)
                    .ifPresent(cause -> causes.put(agentId, cause)));
        }
        return causes;
    }

    private Optional<ProblemCause> ofProfile(AgentProfile profile, Map<String, Boolean> failing) {
        String source = ImportedFrom.source(profile);
        if (!source.isEmpty() && failing.computeIfAbsent(source, this::fails)) {
            return Optional.of(new ProblemCause(Kind.SOURCE, source));
        }
        String host = profile.history().instance();
        return host.equals(InstanceRule.UNKNOWN) ? Optional.empty() : Optional.of(new ProblemCause(Kind.HOST, host));
    }

    private boolean fails(String source) {
        return sources.find(source)
                .map(Source::state)
                .filter(state -> !state.complete() && !state.errors().isEmpty())
                .isPresent();
    }
}
