package dev.agenthealth.local.testing;

import com.amazonaws.services.lambda.runtime.Context;
import com.amazonaws.services.lambda.runtime.RequestHandler;
import dev.agenthealth.functions.runtime.wiring.Wiring;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Doubles numbers that are not negative. Takes and gives maps, since Lambda's runtime cannot read records. */
public final class WorkerFunction implements RequestHandler<Map<String, Object>, Map<String, Object>> {

    public WorkerFunction(Wiring wiring) {}

    @Override
    public Map<String, Object> handleRequest(Map<String, Object> order, Context context) {
        int number = (Integer) order.get("number");
        if (number < 0) {
            throw new IllegalArgumentException("negative");
        }
        Map<String, Object> result = new LinkedHashMap<>();
        result.put("doubled", 2 * number);
        result.put("notes", List.of("ok"));
        return result;
    }
}
