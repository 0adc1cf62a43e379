package dev.agenthealth.functions.operations.problems;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.agenthealth.functions.operations.problems.ProblemQuery.Part;
import dev.agenthealth.functions.runtime.http.ApiRequest;
import dev.agenthealth.functions.runtime.http.ApiResponse;
import dev.agenthealth.functions.runtime.http.Fields;
import dev.agenthealth.functions.runtime.http.PageToken;
import dev.agenthealth.functions.runtime.http.Paging;
import dev.agenthealth.functions.runtime.json.Json;
import dev.agenthealth.functions.runtime.paging.ListPage;
import dev.agenthealth.functions.storage.problems.ProblemStore;
import dev.agenthealth.model.operations.problem.SubjectProblem;
import java.time.Clock;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** Lists problems. A request reads a limited number of problems, so that a page may have fewer than requested. Thread-safe. */
final class ProblemList {

    /** The maximum number of problems that one request reads, shown or not. They are at most a megabyte. */
    private static final int MAX_READ = 1_000;

    private static final int PAGE_SIZE = 100;

    private static final Comparator<SubjectProblem> ORDER = Comparator.<SubjectProblem>comparingInt(
                    problem -> Part.of(problem).number())
            .thenComparing(ProblemStore::position, Comparator.reverseOrder());

    private final ProblemStore problems;
    private final ProblemAccess access;
    private final ProblemJson answers;
    private final Clock clock;

    ProblemList(ProblemStore problems, ProblemAccess access, ProblemJson answers, Clock clock) {
        this.problems = problems;
        this.access = access;
        this.answers = answers;
        this.clock = clock;
    }

    /** {@code GET /api/v1/problems}: lists problems. */
    ApiResponse list(ApiRequest request) {
        Fields fields = request.queryFields();
        ProblemQuery query = ProblemQuery.of(fields);
        Paging paging = Paging.of(request, fields);
        fields.check();
        ListPage<SubjectProblem> found = query.agentId().isEmpty()
                ? inParts(request, query, paging)
                : new ListPage<>(wanted(request, query, problems.ofAgent(query.agentId())), "");
        ObjectNode json = Json.object();
        ArrayNode array = json.putArray("problems");
        answers.of(request, found.items()).forEach(array::add);
        PageToken.putNext(json, request, found.next());
        return ApiResponse.json(200, json);
    }

    private ListPage<SubjectProblem> inParts(ApiRequest request, ProblemQuery query, Paging paging) {
        List<SubjectProblem> found = new ArrayList<>();
        int read = 0;
        String after = paging.after().isEmpty() ? "" : paging.after().substring(1);
        int first = paging.after().isEmpty() ? 0 : paging.after().charAt(0) - '0';
        for (Part part : query.partsFrom(first)) {
            String place = part.number() == first ? after : "";
            List<SubjectProblem> page;
            do {
                page = problems.page(part.closed(), part.severity(), place, PAGE_SIZE);
                read += page.size();
                found.addAll(wanted(request, query, page));
                if (found.size() > paging.limit()) {
                    List<SubjectProblem> shown = found.subList(0, paging.limit());
                    SubjectProblem last = shown.get(paging.limit() - 1);
                    return new ListPage<>(shown, Part.of(last).number() + ProblemStore.position(last));
                }
                place = page.isEmpty() ? place : ProblemStore.position(page.get(page.size() - 1));
                if (read >= MAX_READ) {
                    return new ListPage<>(found, part.number() + place);
                }
            } while (page.size() == PAGE_SIZE);
        }
        return new ListPage<>(found, "");
    }

    private List<SubjectProblem> wanted(ApiRequest request, ProblemQuery query, List<SubjectProblem> read) {
        Instant now = clock.instant();
        List<SubjectProblem> matching = read.stream()
                .filter(problem -> query.matches(problem, now))
                .sorted(ORDER)
                .toList();
        return access.visible(request.caller(), matching);
    }
}
