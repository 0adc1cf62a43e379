package dev.agenthealth.functions.operations.problems;

import dev.agenthealth.functions.storage.dynamo.Database;
import dev.agenthealth.functions.storage.trust.BlockStore;
import dev.agenthealth.functions.storage.trust.StopStore;
import dev.agenthealth.model.event.ProblemKind;
import dev.agenthealth.model.health.trust.Block;
import dev.agenthealth.model.health.trust.Stop;
import dev.agenthealth.model.health.trust.TrustSubject;
import dev.agenthealth.model.operations.problem.SubjectProblem;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The reasons of blocks and stops in force, in the words of the operators who decided. Only operators see them. Thread-safe. */
final class BlockReasons {

    private final BlockStore blocks;
    private final StopStore stops;

    BlockReasons(Database database) {
        this.blocks = new BlockStore(database);
        this.stops = new StopStore(database);
    }

    /**
     * Returns the reasons by the id of the problem, as sentences. Costs a request if a block is among the open problems, and another one if a stop
     * is.
     */
    Map<String, String> of(List<SubjectProblem> problems) {
        List<SubjectProblem> open = problems.stream()
                .filter(problem -> problem.kind() == ProblemKind.BLOCK && !problem.isClosed())
                .toList();
        Map<String, String> reasons = new HashMap<>();
        ofBlocks(open.stream().filter(problem -> problem.stop().isEmpty()).toList(), reasons);
        ofStops(open.stream().filter(problem -> problem.stop().isPresent()).toList(), reasons);
        return reasons;
    }

    private void ofBlocks(List<SubjectProblem> problems, Map<String, String> reasons) {
        if (problems.isEmpty()) {
            return;
        }
        Map<TrustSubject, Block> decided =
                blocks.of(problems.stream().map(BlockReasons::subject).toList());
        for (SubjectProblem problem : problems) {
            Block block = decided.get(subject(problem));
            if (block.inForce() && !block.reason().isEmpty()) {
                reasons.put(problem.id(), "Was blocked: " + block.reason());
            }
        }
    }

    private void ofStops(List<SubjectProblem> problems, Map<String, String> reasons) {
        if (problems.isEmpty()) {
            return;
        }
        StopStore.Seen inForce = stops.seen();
        for (SubjectProblem problem : problems) {
            Optional<Stop> stop = problem.stop().flatMap(inForce::find);
            stop.ifPresent(found -> reasons.put(problem.id(), "Was stopped: " + found.reason()));
        }
    }

    private static TrustSubject subject(SubjectProblem problem) {
        return problem.agentId().isEmpty()
                ? new TrustSubject.OfProvider(problem.providerId())
                : new TrustSubject.OfAgent(problem.agentId());
    }
}
