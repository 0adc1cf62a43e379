package dev.agenthealth.local.testing;

import com.amazonaws.services.lambda.runtime.Context;
import com.amazonaws.services.lambda.runtime.RequestHandler;
import dev.agenthealth.functions.Wiring;
import java.util.List;

/** Doubles numbers that are not negative. */
public final class WorkerFunction implements RequestHandler<WorkerFunction.Order, WorkerFunction.Result> {

    public record Order(int number, List<String> notes) {}

    public record Result(int doubled, List<String> notes) {}

    public WorkerFunction(Wiring wiring) {}

    @Override
    public Result handleRequest(Order order, Context context) {
        if (order.number() < 0) {
            throw new IllegalArgumentException("negative");
        }
        return new Result(2 * order.number(), List.of("ok"));
    }
}
