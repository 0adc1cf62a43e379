package dev.agenthealth.template;

import java.time.Duration;
import java.util.List;
import java.util.Map;

/**
 * A function as the template defines it, with the template's globals merged in and everything resolved.
 *
 * @param logicalId its name in the template
 * @param name physical name
 * @param handler its code
 * @param environment environment variables
 * @param instance its instances
 * @param triggers everything that invokes it
 * @param policies the statements of its role
 */
public record FunctionDefinition(
        String logicalId,
        String name,
        Handler handler,
        Map<String, String> environment,
        Instance instance,
        Triggers triggers,
        List<PolicyStatement> policies) {

    public FunctionDefinition {
        environment = Map.copyOf(environment);
        policies = List.copyOf(policies);
    }

    /**
     * The code of a function.
     *
     * @param codeUri path of its deployment package
     * @param className fully qualified name of the handler class
     * @param method name of its method
     */
    public record Handler(String codeUri, String className, String method) {}

    /**
     * The instances of a function.
     *
     * @param timeout maximum duration of an invocation
     * @param memoryMegabytes the memory size of an instance
     * @param snapStart whether instances start from a snapshot
     */
    public record Instance(Duration timeout, int memoryMegabytes, boolean snapStart) {}

    /**
     * Everything that invokes a function.
     *
     * @param routes the routes of the HTTP API that lead to it
     * @param schedules the schedules that invoke it
     * @param streams the table streams that it reads
     * @param queues the queues whose messages it receives
     */
    public record Triggers(
            List<Route> routes,
            List<ScheduleDefinition> schedules,
            List<StreamMapping> streams,
            List<QueueMapping> queues) {

        public Triggers {
            routes = List.copyOf(routes);
            schedules = List.copyOf(schedules);
            streams = List.copyOf(streams);
            queues = List.copyOf(queues);
        }
    }

    public String codeUri() {
        return handler.codeUri();
    }

    public String handlerClass() {
        return handler.className();
    }

    public String handlerMethod() {
        return handler.method();
    }

    public Duration timeout() {
        return instance.timeout();
    }

    public int memoryMegabytes() {
        return instance.memoryMegabytes();
    }

    public boolean snapStart() {
        return instance.snapStart();
    }

    public List<Route> routes() {
        return triggers.routes();
    }

    public List<ScheduleDefinition> schedules() {
        return triggers.schedules();
    }

    public List<StreamMapping> streams() {
        return triggers.streams();
    }

    public List<QueueMapping> queues() {
        return triggers.queues();
    }

    /** Returns this function with another maximum duration. */
    public FunctionDefinition withTimeout(Duration newTimeout) {
        return new FunctionDefinition(
                logicalId,
                name,
                handler,
                environment,
                new Instance(newTimeout, memoryMegabytes(), snapStart()),
                triggers,
                policies);
    }
}
